import { Injectable } from '@nestjs/common';
import { type Principal, ResourceNotFoundError } from '@cleveragents/kernel';
import { formatName, NamespaceService } from '@cleveragents/namespace';
import { BuiltInEntities } from './built-in/built-in-entities.js';
import type { EntityKind } from './domain/entity-kind.js';

/** What a caller's name for an entity means. */
@Injectable()
export class EntityNames {
  constructor(
    private readonly namespaces: NamespaceService,
    private readonly builtIns: BuiltInEntities,
  ) {}

  /** A built-in name means the built-in entity (`git-checkout`, `supervised`); any other is read by its namespace. */
  canonical(kind: EntityKind, text: string, principal: Principal, path: string): string {
    const builtIn = this.builtIns.find(kind, text.toLowerCase());
    return builtIn?.name ?? formatName(this.namespaces.parseName(text, principal, path));
  }
}

/** Says the same of what does not exist and of what the caller may not see. */
export function entityNotFound(kind: EntityKind, name: string): ResourceNotFoundError {
  const words = kind.replaceAll('_', ' ');
  return ResourceNotFoundError.of(words.charAt(0).toUpperCase() + words.slice(1), { name });
}
