/** What a registry may hold (reference: Registry Operations), spelled as in method names. */
export const ENTITY_KINDS = [
  'actor',
  'skill',
  'tool',
  'validation',
  'resource',
  'resource_type',
  'project',
  'action',
  'automation_profile',
  'invariant',
  'lsp',
] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

export type Visibility = 'namespace' | 'public';
