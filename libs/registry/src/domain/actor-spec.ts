import type { JsonObject } from '@cleveragents/kernel';
import type { CommonSpec } from './common-spec.js';
import type { Condition } from './condition.js';

export type ActorType = 'llm' | 'graph' | 'tool' | 'a2a';

interface ActorCommonSpec extends CommonSpec {
  /** Needs a profile that allows unsafe tools. */
  readonly unsafe: boolean;
  readonly context_view?: 'strategist' | 'executor' | 'reviewer';
  readonly lsp_servers: readonly string[];
}

export interface ActorStrategy {
  readonly id: string;
  readonly title: string;
  /** Tested on the target's head; the first strategy whose condition holds, or that has none, is chosen. */
  readonly when?: Condition;
  readonly confidence: number;
  /** Ids of steps, in the order in which they run. */
  readonly steps: readonly string[];
}

export interface ActorStep {
  readonly id: string;
  readonly title?: string;
  /** Canonical tool name, such as `builtin/edit_file`. */
  readonly tool: string;
  /** May hold templates (`{{args.note}}`) in any text. */
  readonly inputs: JsonObject;
  /** Tested in the sandbox just before the step; false = skipped. */
  readonly when?: Condition;
  readonly on_error: 'stop' | 'continue' | 'retry';
  readonly confidence: number;
}

/** The deterministic actor: fixed strategies and steps, no model. Only a built-in one has no steps. */
export interface ToolActorSpec extends ActorCommonSpec {
  readonly type: 'tool';
  readonly strategies: readonly ActorStrategy[];
  readonly steps: readonly ActorStep[];
}

export interface LlmActorSpec extends ActorCommonSpec {
  readonly type: 'llm';
  readonly provider: string;
  readonly model: string;
  readonly options: { readonly temperature?: number; readonly max_tokens?: number; readonly top_p?: number };
  readonly system_prompt?: string;
  readonly skills: readonly string[];
  readonly tools: readonly string[];
}

export interface GraphNode {
  readonly id: string;
  readonly type: 'llm' | 'tool' | 'router';
  readonly actor?: string;
  readonly tool?: string;
  readonly inputs?: JsonObject;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly when?: Condition;
}

export interface ActorGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly entry: string;
  readonly exits: readonly string[];
  /** Without it the graph has no cycle. */
  readonly max_iterations?: number;
}

export interface GraphActorSpec extends ActorCommonSpec {
  readonly type: 'graph';
  readonly graph: ActorGraph;
  readonly skills: readonly string[];
  readonly tools: readonly string[];
}

export interface RemoteActorSpec extends ActorCommonSpec {
  readonly type: 'a2a';
  readonly card_url?: string;
  readonly card?: JsonObject;
  readonly auth?: { readonly scheme: string; readonly secret_ref: string };
  readonly allowed_skills: readonly string[];
  readonly allowed_callers: readonly string[];
  readonly signature: 'require' | 'prefer' | 'off';
  readonly timeout_s: number;
  readonly working_limit_s?: number;
  readonly stream: 'auto' | 'always' | 'never';
  readonly breaker: { readonly window: number; readonly failure_rate: number; readonly open_s: number };
}

export type ActorSpec = ToolActorSpec | LlmActorSpec | GraphActorSpec | RemoteActorSpec;
