import type { ValidationSpec } from '../domain/tool-spec.js';
import { COMMAND_TIMEOUT_S, PASSED_SCHEMA } from '../domain/validation-rules.js';

export const BUILT_IN_VALIDATIONS: ReadonlyMap<string, ValidationSpec> = new Map([
  [
    'builtin/command-passes',
    {
      description: 'Runs an allowed command in the sandbox; passed = it exits with 0.',
      source: 'builtin',
      mode: 'required',
      input_schema: {
        type: 'object',
        properties: { argv: { type: 'array', items: { type: 'string' }, minItems: 1 } },
        required: ['argv'],
        additionalProperties: false,
      },
      output_schema: PASSED_SCHEMA,
      read_only: true,
      writes: false,
      checkpointable: false,
      network: false,
      timeout: COMMAND_TIMEOUT_S,
      implementation: { kind: 'builtin', ref: 'command-passes' },
      args: {},
      attachments: [],
    },
  ],
]);
