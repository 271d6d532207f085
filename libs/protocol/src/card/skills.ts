import type { AgentSkill } from './agent-card.js';

/** Skills that the platform can have; a card names those whose methods are registered. */
export const SKILL_IDS = ['plan-lifecycle', 'registry-crud', 'context-mgmt', 'entity-sync', 'namespace-mgmt'] as const;
export type SkillId = (typeof SKILL_IDS)[number];

const MODES = ['text/plain', 'application/json'] as const;

type SkillText = Pick<AgentSkill, 'name' | 'description' | 'tags' | 'examples'>;

const SKILL_TEXTS: Readonly<Record<SkillId, SkillText>> = {
  'plan-lifecycle': {
    name: 'Plan Lifecycle Management',
    description:
      'Starts plans on real repositories, follows them live, and approves, corrects, applies or rolls them back',
    tags: ['plan', 'orchestration', 'git', 'review'],
    examples: ['use acme/exclaim on acme/api note="greeting ends with an exclamation mark"'],
  },
  'registry-crud': {
    name: 'Entity Registry Operations',
    description: 'Registers, shows and lists actors, tools, actions, projects and the other entities',
    tags: ['registry', 'actor', 'tool', 'action', 'project'],
    examples: ['List the actions of namespace acme'],
  },
  'context-mgmt': {
    name: 'Context Assembly',
    description: 'Shows, inspects, simulates and sets the context that actors get of a project',
    tags: ['context', 'project', 'budget'],
    examples: ['Show the context of project acme/api'],
  },
  'entity-sync': {
    name: 'Entity Synchronization',
    description: 'Pulls and pushes the entities of a namespace between a local agent and the server',
    tags: ['sync', 'namespace'],
    examples: ['Pull namespace acme'],
  },
  'namespace-mgmt': {
    name: 'Namespace Management',
    description: 'Lists and shows namespaces and their members',
    tags: ['namespace', 'team', 'members'],
    examples: ['Who are the members of namespace acme?'],
  },
};

export function skillOf(id: SkillId): AgentSkill {
  const outputModes = id === 'plan-lifecycle' ? [...MODES, 'text/x-diff'] : [...MODES];
  return { id, ...structuredClone(SKILL_TEXTS[id]), inputModes: [...MODES], outputModes };
}
