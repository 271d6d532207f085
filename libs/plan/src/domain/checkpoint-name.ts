import { ResourceNotFoundError, ValidationError } from '@cleveragents/kernel';

const PREFIX = 'cp_';
const SHORTEST = 8;

/** A checkpoint by its id, with `cp_` or without, or by the beginning of it that no other checkpoint shares. */
export function namedCheckpoint<C extends { readonly id: string }>(checkpoints: readonly C[], name: string): C {
  const ulid = name.replace(new RegExp(`^${PREFIX}`, 'i'), '').toUpperCase();
  if (ulid.length < SHORTEST) throw badName(`must be an id, or at least ${SHORTEST} characters of it`);
  const [found, another] = checkpoints.filter(({ id }) => id.startsWith(`${PREFIX}${ulid}`));
  if (found === undefined) throw ResourceNotFoundError.of('Checkpoint', { checkpoint_id: name });
  if (another !== undefined) throw badName('is the beginning of several checkpoint ids');
  return found;
}

function badName(problem: string): ValidationError {
  return ValidationError.of('checkpoint_id', problem);
}
