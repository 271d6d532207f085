import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { Clock, type Principal } from '@cleveragents/kernel';
import { type EntityName, type NameScope, parseEntityName, parseNamespace } from './entity-name.js';
import { NamespaceRepository } from './namespace.repository.js';

/** Namespaces: who owns a name, and what a name that a caller wrote means. */
@Injectable()
export class NamespaceService {
  private readonly ownServers: readonly string[];

  constructor(
    private readonly namespaces: NamespaceRepository,
    private readonly clock: Clock,
    @Inject(APP_CONFIG) config: AppConfig,
  ) {
    const { publicBaseUrl, host } = config.http;
    this.ownServers = [publicBaseUrl === null ? host.toLowerCase() : new URL(publicBaseUrl).hostname, 'localhost'];
  }

  /** Reads `[[server:]namespace/]name` as this caller means it; a bad name is a ValidationError at `path`. */
  parseName(text: string, principal: Principal, path = 'name'): EntityName {
    return parseEntityName(text, this.scopeOf(principal), path);
  }

  /** Reads a namespace written by itself. */
  parseNamespace(text: string, principal: Principal, path = 'namespace'): string {
    return parseNamespace(text, this.scopeOf(principal), path);
  }

  /** A namespace exists from the first thing in it. Call inside the transaction that writes that thing. */
  async ensure(namespace: string, principal: Principal): Promise<void> {
    await this.namespaces.insertIfMissing({
      name: namespace,
      createdBy: principal.id,
      createdAt: this.clock.now(),
    });
  }

  async exists(namespace: string): Promise<boolean> {
    return this.namespaces.exists(namespace);
  }

  /** Names of the namespaces that the caller may see, sorted; their own is there from the beginning. */
  async visibleTo({ grants, isServerAdmin, personalNamespace }: Principal, limit: number): Promise<readonly string[]> {
    const isUnbounded = grants === 'all' || isServerAdmin;
    const names = isUnbounded ? await this.namespaces.names(limit) : [...grants.keys()];
    return [...new Set([personalNamespace, ...names])].sort().slice(0, limit);
  }

  /** Only a caller with a place in `local/` can mean the server's: in multi-user mode nobody has one. */
  private scopeOf({ personalNamespace, grants }: Principal): NameScope {
    const hasLocal = personalNamespace === 'local' || grants === 'all' || grants.has('local');
    return { personalNamespace, hasLocal, ownServers: this.ownServers };
  }
}
