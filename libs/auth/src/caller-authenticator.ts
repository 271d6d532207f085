import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { AuthenticationError, Clock, type Principal } from '@cleveragents/kernel';
import { LRUCache } from 'lru-cache';
import { JwtStrategy, invalidToken } from './jwt.strategy.js';
import { LOCAL_OWNER } from './local-owner.js';

/** The header fields that may carry credentials; Node's own spelling. */
export interface CredentialHeaders {
  readonly authorization?: string | undefined;
}

const MAX_REMEMBERED = 10_000;

/** What passport adds to a strategy for the time of one attempt. */
interface Attempt {
  success(principal: Principal): void;
  fail(problem?: unknown): void;
  error(problem: Error): void;
  authenticate(request: { headers: CredentialHeaders }): void;
}

/**
 * Who calls: the one answer for every way into the server. A verified token is remembered by its hash for as long as
 * it lives, so that the signature is not checked again on every call.
 */
@Injectable()
export class CallerAuthenticator {
  private readonly verified = new LRUCache<string, Principal>({ max: MAX_REMEMBERED });

  constructor(
    private readonly strategy: JwtStrategy,
    private readonly clock: Clock,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** The caller, or why that could not be established; a promise only where a signature has to be checked. */
  authenticate(headers: CredentialHeaders): Principal | AuthenticationError | Promise<Principal | AuthenticationError> {
    const { authorization } = headers;
    if (authorization === undefined) {
      return this.config.a2a.anonymous ? LOCAL_OWNER : new AuthenticationError('Authentication required');
    }
    const key = hash('sha256', authorization, 'base64');
    const known = this.verified.get(key);
    if (known === undefined) return this.verify(headers, key);
    if (!this.isOver(known)) return known;
    this.verified.delete(key);
    return invalidToken();
  }

  private async verify(headers: CredentialHeaders, key: string): Promise<Principal | AuthenticationError> {
    try {
      const principal = await this.attempt(headers);
      this.verified.set(key, principal);
      return principal;
    } catch (error) {
      if (error instanceof AuthenticationError) return error;
      throw error;
    }
  }

  /** Runs the strategy the way passport does: on an object of its own per attempt. */
  private attempt(headers: CredentialHeaders): Promise<Principal> {
    return new Promise((resolve, reject) => {
      const attempt = Object.create(this.strategy) as Attempt;
      attempt.success = resolve;
      attempt.fail = () => reject(invalidToken());
      attempt.error = reject;
      attempt.authenticate({ headers });
    });
  }

  private isOver(principal: Principal): boolean {
    return principal.expiresAt !== null && principal.expiresAt * 1000 <= this.clock.now().getTime();
  }
}
