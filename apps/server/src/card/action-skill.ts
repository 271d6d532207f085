import type { JsonObject } from '@cleveragents/kernel';
import type { AgentSkill } from '@cleveragents/protocol';
import type { ActionArgument, RegistryEntity } from '@cleveragents/registry';

const INPUT_MODES = ['text/plain', 'application/json'] as const;
const OUTPUT_MODES = [...INPUT_MODES, 'text/x-diff'] as const;

type Action = RegistryEntity<'action'>;

/** An action as a skill: clients that know no extension see how to ask for it. */
export function actionSkill({ name, spec }: Action): AgentSkill {
  return {
    id: `action:${name}`,
    name,
    description: [spec.description, argumentSentence(spec.arguments)].filter((text) => text !== '').join(' '),
    tags: ['action', 'plan', ...(spec.read_only ? ['read-only'] : [])],
    examples: [exampleOf(name, spec.arguments)],
    inputModes: [...INPUT_MODES],
    outputModes: [...OUTPUT_MODES],
  };
}

/** The same for clients that do: what `plan/use` takes. */
export function actionFacts({ name, spec }: Action): JsonObject {
  return {
    name,
    description: spec.description,
    read_only: spec.read_only,
    ...(spec.arguments.length === 0 ? {} : { arguments: spec.arguments as unknown as JsonObject[] }),
  };
}

function argumentSentence(declared: readonly ActionArgument[]): string {
  if (declared.length === 0) return '';
  const texts = declared.map(({ name, type, required, description }) => {
    const facts = `${name} (${type}${required ? ', required' : ''})`;
    return description === undefined ? facts : `${facts}: ${description}`;
  });
  return `Arguments: ${texts.join('; ')}.`;
}

/** The grammar of the built-in assistant. */
function exampleOf(action: string, declared: readonly ActionArgument[]): string {
  const needed = declared.filter(({ required }) => required).map(({ name }) => `${name}=VALUE`);
  return [`use ${action} on PROJECT`, ...needed].join(' ');
}
