import type { AutomationProfileSpec, PhaseGate, ThresholdName } from '../domain/automation-profile-spec.js';

/** One line of the table of profiles: a threshold of 1 always asks, of 0 never does. */
interface ProfileLine {
  readonly description: string;
  /** Strategize, execute, apply. */
  readonly gates: readonly [PhaseGate, PhaseGate, PhaseGate];
  readonly edit: number;
  readonly command: number;
  readonly remove: number;
  /** Network access and installations. */
  readonly network: number;
  readonly childPlans: number;
  readonly isSandboxed?: false;
  readonly isUnattended?: true;
}

const LINES: Readonly<Record<string, ProfileLine>> = {
  manual: {
    description: 'A person starts every phase and approves every act.',
    gates: ['ask', 'ask', 'ask'],
    edit: 1,
    command: 1,
    remove: 1,
    network: 1,
    childPlans: 1,
  },
  review: {
    description: 'Phases run alone, every act is approved by a person.',
    gates: ['auto', 'auto', 'ask'],
    edit: 1,
    command: 1,
    remove: 1,
    network: 1,
    childPlans: 1,
  },
  supervised: {
    description: 'Planning is automatic, execution and apply are started by a person.',
    gates: ['auto', 'ask', 'ask'],
    edit: 0,
    command: 0,
    remove: 0.7,
    network: 1,
    childPlans: 0,
  },
  cautious: {
    description: 'Acts run alone while the actor is confident enough; apply is started by a person.',
    gates: ['auto', 'auto', 'ask'],
    edit: 0.7,
    command: 0.8,
    remove: 0.9,
    network: 0.9,
    childPlans: 0.7,
  },
  trusted: {
    description: 'Execution is automatic except for deletions and the network; apply is started by a person.',
    gates: ['auto', 'auto', 'ask'],
    edit: 0,
    command: 0,
    remove: 1,
    network: 1,
    childPlans: 0,
  },
  auto: {
    description: 'Everything is automatic except apply.',
    gates: ['auto', 'auto', 'ask'],
    edit: 0,
    command: 0,
    remove: 0,
    network: 0,
    childPlans: 0,
  },
  ci: {
    description: 'Everything is automatic, nobody is there to answer: what would ask fails.',
    gates: ['auto', 'auto', 'auto'],
    edit: 0,
    command: 0,
    remove: 0,
    network: 1,
    childPlans: 0,
    isUnattended: true,
  },
  'full-auto': {
    description: 'No gates at all.',
    gates: ['auto', 'auto', 'auto'],
    edit: 0,
    command: 0,
    remove: 0,
    network: 0,
    childPlans: 0,
    isSandboxed: false,
  },
};

export const BUILT_IN_PROFILES: ReadonlyMap<string, AutomationProfileSpec> = new Map(
  Object.entries(LINES).map(([name, line]) => [name, toSpec(line)]),
);

function toSpec(line: ProfileLine): AutomationProfileSpec {
  const [strategize, execute, apply] = line.gates;
  const isSandboxed = line.isSandboxed ?? true;
  return {
    description: line.description,
    thresholds: thresholdsOf(line, execute),
    flags: { require_sandbox: isSandboxed, require_checkpoints: isSandboxed, allow_unsafe_tools: !isSandboxed },
    phase_gates: { strategize, execute, apply },
    unattended: line.isUnattended ?? false,
    safety: { require_human_approval: apply === 'ask', max_retries_per_step: 3 },
    guards: { tool_denylist: [] },
    budget: {},
  };
}

/** The table has one column for acts of one weight; a new tool weighs as much as an installation. */
function thresholdsOf(line: ProfileLine, execute: PhaseGate): Record<ThresholdName, number> {
  return {
    decompose_task: line.childPlans,
    create_tool: line.network,
    select_tool: line.edit,
    edit_code: line.edit,
    execute_command: line.command,
    create_file: line.edit,
    delete_content: line.remove,
    access_network: line.network,
    install_dependency: line.network,
    modify_config: line.edit,
    approve_plan: execute === 'ask' ? 1 : 0,
  };
}
