import type { ToolActorSpec } from '../domain/actor-spec.js';

/** The server gives these actors their work by name, so they declare no steps of their own. */
export const BUILT_IN_ACTORS: ReadonlyMap<string, ToolActorSpec> = new Map([
  ['builtin/strategist', builtInActor('Makes one decision of every bullet of the definition of done.', 'strategist')],
  ['builtin/executor', builtInActor('Runs the steps that the strategy actor declares.', 'executor')],
  ['builtin/assistant', builtInActor('Understands the documented grammar of messages that drive plans.', undefined)],
]);

function builtInActor(description: string, contextView: 'strategist' | 'executor' | undefined): ToolActorSpec {
  return {
    description,
    type: 'tool',
    unsafe: false,
    ...(contextView === undefined ? {} : { context_view: contextView }),
    lsp_servers: [],
    strategies: [],
    steps: [],
  };
}
