import { ConfigurationError } from '@cleveragents/kernel';
import type { AttachedValidation } from '@cleveragents/registry';
import type { PlannedValidation, PlanTarget } from './plan-snapshot.entity.js';

/** Attached to a project a validation looks at each of its repositories, attached to a resource at that one. */
export function plannedValidations(
  attached: readonly AttachedValidation[],
  targets: readonly PlanTarget[],
): PlannedValidation[] {
  return attached.flatMap((attachment) =>
    targets.flatMap((target, index) => (concerns(attachment, target) ? [planned(attachment, index)] : [])),
  );
}

function concerns({ scope, target: name }: AttachedValidation, target: PlanTarget): boolean {
  return name === (scope === 'project' ? target.project : target.resource);
}

function planned({ validation, mode, args }: AttachedValidation, target: number): PlannedValidation {
  const { name, revision, spec } = validation;
  return { name, revision, mode, target, argv: argvOf(validation, args), timeoutMs: spec.timeout * 1000 };
}

/** Where a validation's command stands: in its own definition, or for the built-in one in the arguments. */
function argvOf({ name, spec }: AttachedValidation['validation'], args: AttachedValidation['args']): string[] {
  if (spec.implementation?.kind === 'command') return [...spec.implementation.argv];
  const { argv } = { ...spec.args, ...args };
  const isCommand = Array.isArray(argv) && argv.length > 0 && argv.every((item) => typeof item === 'string');
  if (spec.implementation?.ref === 'command-passes' && isCommand) return argv;
  throw new ConfigurationError(`Validation ${name} cannot run on this server: it names no command`, {
    key: 'validation',
    validation: name,
  });
}
