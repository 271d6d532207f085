import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { ValidationError } from '@cleveragents/kernel';
import { GitWorkspace, type RepositoryInfo } from '@cleveragents/workspace';
import type { ResourceSpec, ResourceTypeSpec } from '../domain/resource-spec.js';

type Handler = ResourceTypeSpec['sandbox']['handler'];
type Properties = ResourceSpec['properties'];

/** What a resource turned out to be. */
export interface ProbedResource {
  /** Real path. */
  readonly location: string;
  /** Of a git repository. */
  readonly repository: RepositoryInfo | null;
}

/** Looks whether a resource exists and is what its type says. */
@Injectable()
export class ResourceProbe {
  constructor(
    private readonly git: GitWorkspace,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  /** A resource that is not there, or may not be used, is a ValidationError at `properties.*`. */
  async probe(handler: Handler, { path, branch }: Properties): Promise<ProbedResource> {
    try {
      if (handler !== 'git') return { location: await this.allowedDirectory(path), repository: null };
      const repository = await this.git.inspect(path, branch);
      return { location: repository.path, repository };
    } catch (error) {
      throw error instanceof ValidationError ? underProperties(error) : error;
    }
  }

  private async allowedDirectory(path: string): Promise<string> {
    if (!isAbsolute(path) || path.includes('\0')) throw ValidationError.of('path', 'must be an absolute path');
    const real = await realpath(path).catch(() => null);
    // A path outside must answer the same whether it exists or not.
    if (!(await this.isAllowed(real ?? path))) {
      throw ValidationError.of('path', 'lies outside the directories that the server may use', 'PATH_NOT_ALLOWED');
    }
    if (real === null || !(await lstat(real)).isDirectory()) {
      throw ValidationError.of('path', 'is not an existing directory', 'PATH_NOT_FOUND');
    }
    return real;
  }

  private async isAllowed(path: string): Promise<boolean> {
    const { roots } = this.config.workspace;
    if (roots === null) return true;
    const real = await Promise.all(roots.map((root) => realpath(root).catch(() => null)));
    return real.some((root) => root !== null && (path === root || path.startsWith(join(root, sep))));
  }
}

function underProperties(error: ValidationError): ValidationError {
  const problems = error.problems.map(({ path, message }) => ({ path: `properties.${path}`, message }));
  return new ValidationError(problems, { reason: error.reason, cause: error });
}
