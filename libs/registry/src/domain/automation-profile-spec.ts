import type { CommonSpec } from './common-spec.js';

export const THRESHOLDS = [
  'decompose_task',
  'create_tool',
  'select_tool',
  'edit_code',
  'execute_command',
  'create_file',
  'delete_content',
  'access_network',
  'install_dependency',
  'modify_config',
  'approve_plan',
] as const;
export type ThresholdName = (typeof THRESHOLDS)[number];

export type PhaseGate = 'auto' | 'ask';

/** How far a plan may go without a person. */
export interface AutomationProfileSpec extends CommonSpec {
  readonly description: string;
  /** An act runs unasked if and only if its confidence reaches the threshold and the threshold is below 1. */
  readonly thresholds: Readonly<Record<ThresholdName, number>>;
  readonly flags: {
    readonly require_sandbox: boolean;
    readonly require_checkpoints: boolean;
    readonly allow_unsafe_tools: boolean;
  };
  readonly phase_gates: { readonly strategize: PhaseGate; readonly execute: PhaseGate; readonly apply: PhaseGate };
  /** Nobody is there to answer: a gate that would ask fails the step instead of waiting. */
  readonly unattended: boolean;
  readonly safety: {
    readonly require_human_approval: boolean;
    readonly allowed_skill_categories?: readonly string[];
    readonly max_cost_per_plan?: number;
    readonly max_retries_per_step: number;
    readonly max_total_cost?: number;
  };
  readonly guards: { readonly tool_denylist: readonly string[]; readonly max_tool_calls?: number };
  readonly budget: { readonly max_cost_usd?: number; readonly max_tokens?: number };
}
