import { JsonRpcHandler, JsonRpcMethod, type CallContext } from '@cleveragents/jsonrpc';
import { ApplyPlanParams } from './dto/apply-plan.params.js';
import { ApplyPlanView } from './dto/apply-plan.view.js';
import { CancelPlanParams } from './dto/cancel-plan.params.js';
import { CancelPlanView } from './dto/cancel-plan.view.js';
import { CorrectPlanParams } from './dto/correct-plan.params.js';
import { CorrectPlanView } from './dto/correct-plan.view.js';
import { DecisionView } from './dto/decision.view.js';
import { DiffPlanParams } from './dto/diff-plan.params.js';
import { DiffPlanView } from './dto/diff-plan.view.js';
import { ExecutePlanParams } from './dto/execute-plan.params.js';
import { ExecutePlanView } from './dto/execute-plan.view.js';
import { ExplainDecisionParams } from './dto/explain-decision.params.js';
import { ListPlansParams } from './dto/list-plans.params.js';
import { ListPlansView } from './dto/list-plans.view.js';
import { PlanArtifactsParams } from './dto/plan-artifacts.params.js';
import { PlanArtifactsView } from './dto/plan-artifacts.view.js';
import { PlanIdParams } from './dto/plan-id.params.js';
import { PlanStatusView } from './dto/plan-status.view.js';
import { PlanTreeParams } from './dto/plan-tree.params.js';
import { PlanTreeView } from './dto/plan-tree.view.js';
import { PromptPlanParams } from './dto/prompt-plan.params.js';
import { PromptPlanView } from './dto/prompt-plan.view.js';
import { RollbackPlanParams } from './dto/rollback-plan.params.js';
import { RollbackPlanView } from './dto/rollback-plan.view.js';
import { UsePlanParams } from './dto/use-plan.params.js';
import { UsePlanView } from './dto/use-plan.view.js';
import { PlanCorrection } from './plan-correction.js';
import { PlanLifecycle } from './plan-lifecycle.service.js';
import { PlanRollback } from './plan-rollback.js';
import { PlanService } from './plan.service.js';

@JsonRpcHandler({ tag: 'plan' })
export class PlanRpc {
  constructor(
    private readonly plans: PlanService,
    private readonly lifecycle: PlanLifecycle,
    private readonly rollbacks: PlanRollback,
    private readonly corrections: PlanCorrection,
  ) {}

  @JsonRpcMethod('_cleveragents/plan/use', {
    summary: 'Makes a plan of an action for one or more projects',
    params: UsePlanParams,
    result: UsePlanView,
    access: 'operator',
    aliases: ['plan.create'],
  })
  use(params: UsePlanParams, call: CallContext): Promise<UsePlanView> {
    return this.plans.createPlan(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/execute', {
    summary: 'Drives a plan forward as far as its gates allow',
    params: ExecutePlanParams,
    result: ExecutePlanView,
    access: 'operator',
    aliases: ['plan.execute'],
  })
  execute(params: ExecutePlanParams, call: CallContext): Promise<ExecutePlanView> {
    return this.lifecycle.execute(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/apply', {
    summary: 'Merges what a plan changed into its targets',
    params: ApplyPlanParams,
    result: ApplyPlanView,
    access: 'maintainer',
    aliases: ['plan.apply'],
  })
  apply(params: ApplyPlanParams, call: CallContext): Promise<ApplyPlanView> {
    return this.lifecycle.apply(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/cancel', {
    summary: 'Ends a plan and keeps its sandbox for a while',
    params: CancelPlanParams,
    result: CancelPlanView,
    access: 'operator',
  })
  cancel(params: CancelPlanParams, call: CallContext): Promise<CancelPlanView> {
    return this.plans.cancel(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/status', {
    summary: 'Tells where a plan stands',
    params: PlanIdParams,
    result: PlanStatusView,
    access: 'viewer',
    aliases: ['plan.status'],
  })
  status(params: PlanIdParams, call: CallContext): Promise<PlanStatusView> {
    return this.plans.getStatus(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/tree', {
    summary: 'Shows the decisions of a plan as a tree',
    params: PlanTreeParams,
    result: PlanTreeView,
    access: 'viewer',
  })
  tree(params: PlanTreeParams, call: CallContext): Promise<PlanTreeView> {
    return this.plans.getTree(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/explain', {
    summary: 'Explains one decision: its alternatives, its reasons and what rests on it',
    params: ExplainDecisionParams,
    result: DecisionView,
    access: 'viewer',
  })
  explain(params: ExplainDecisionParams, call: CallContext): Promise<DecisionView> {
    return this.plans.explainDecision(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/correct', {
    summary: 'Replaces a decision of a plan, or adds guidance to it',
    params: CorrectPlanParams,
    result: CorrectPlanView,
    access: 'operator',
  })
  correct(params: CorrectPlanParams, call: CallContext): Promise<CorrectPlanView> {
    return this.corrections.correct(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/diff', {
    summary: 'Shows what a plan changes',
    params: DiffPlanParams,
    result: DiffPlanView,
    access: 'viewer',
    aliases: ['plan.diff'],
  })
  diff(params: DiffPlanParams, call: CallContext): Promise<DiffPlanView> {
    return this.plans.getDiff(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/artifacts', {
    summary: 'Lists the files that a plan changed, and shows one of them',
    params: PlanArtifactsParams,
    result: PlanArtifactsView,
    access: 'viewer',
  })
  artifacts(params: PlanArtifactsParams, call: CallContext): Promise<PlanArtifactsView> {
    return this.plans.listArtifacts(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/prompt', {
    summary: 'Gives a plan guidance, or answers what it waits for',
    params: PromptPlanParams,
    result: PromptPlanView,
    access: 'operator',
  })
  prompt(params: PromptPlanParams, call: CallContext): Promise<PromptPlanView> {
    return this.plans.injectGuidance(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/rollback', {
    summary: 'Takes a plan back to a checkpoint, or undoes one that is applied',
    params: RollbackPlanParams,
    result: RollbackPlanView,
    access: 'operator',
  })
  rollback(params: RollbackPlanParams, call: CallContext): Promise<RollbackPlanView> {
    return this.rollbacks.run(params, call);
  }

  @JsonRpcMethod('_cleveragents/plan/list', {
    summary: 'Lists the plans that the caller may see, newest first',
    params: ListPlansParams,
    result: ListPlansView,
    access: 'authenticated',
  })
  list(params: ListPlansParams, call: CallContext): Promise<ListPlansView> {
    return this.plans.list(params, call);
  }
}
