import { Injectable } from '@nestjs/common';
import {
  checklistStrategy,
  chooseStrategy,
  recallStrategy,
  renderTemplateText,
  type PlannedStep,
  type Strategy,
} from '@cleveragents/actor';
import { newUlid } from '@cleveragents/kernel';
import { GitWorkspace } from '@cleveragents/workspace';
import type { Decision } from './domain/decision-tree.js';
import { PhaseEnd } from './phase-end.js';
import { TargetHeads } from './places.js';
import { PlanJournal, type DecisionDraft } from './plan-journal.js';
import { strategyArtifact } from './plan-messages.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import type { PlanRun } from './plan-run.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';
import type { ChosenStrategy } from './plan.entity.js';
import { strategySource } from './step-source.js';
import { argumentScope, stepScope } from './template-scope.js';

/** The strategize phase: reads the targets, decides what will be done, changes nothing. */
@Injectable()
export class StrategizeRun {
  constructor(
    private readonly workspace: GitWorkspace,
    private readonly records: PlanRecordRepository,
    private readonly journal: PlanJournal,
    private readonly phaseEnd: PhaseEnd,
  ) {}

  async run(run: PlanRun): Promise<void> {
    // Taken up after it was cancelled: what was decided stays decided.
    if ((await run.read()).strategy !== null) return this.finishAgain(run);
    const rootId = await this.ensureRoot(run);
    const standing = (await this.records.decisionsOf(run.planId)).filter(({ isSuperseded }) => !isSuperseded);
    const choice = standing.find(({ type }) => type === 'strategy_choice') ?? null;
    const strategy = await this.strategyFor(run, choice);
    run.signal.throwIfAborted();
    const { steps, missing } = decisionsOf(strategy, { rootId, choice, standing }, run.snapshot);
    await run.commit((plan) =>
      this.phaseEnd.finish(plan, run.snapshot, {
        patch: { strategy: { ...pick(strategy), steps } },
        decisions: missing,
        artifacts: [strategyArtifact(strategy)],
        text: `Strategy: ${strategy.title}`,
      }),
    );
  }

  private async finishAgain(run: PlanRun): Promise<void> {
    await run.commit((plan) => this.phaseEnd.finish(plan, run.snapshot, {}));
  }

  /** The prompt that everything else hangs on; it outlives the attempts. */
  private async ensureRoot(run: PlanRun): Promise<string> {
    return run.commit(async (plan) => {
      const [root] = await this.records.decisionsOf(plan.id);
      if (root !== undefined) return root.id;
      const draft = rootDecision(run.snapshot);
      await this.journal.amend(plan, plan.runOrigin, { decisions: [draft] });
      return draft.id;
    });
  }

  /** What stands is not weighed again. */
  private async strategyFor({ planId, snapshot }: PlanRun, choice: Decision | null): Promise<Strategy> {
    const source = strategySource(snapshot);
    if (source === null) {
      const { definition_of_done: done } = snapshot.action.spec;
      return checklistStrategy(renderTemplateText(done, argumentScope(snapshot)));
    }
    if (choice !== null) return recallStrategy(source, choice.chosen);
    const [target] = snapshot.targets;
    if (target === undefined) throw new Error('A plan has at least one target');
    return chooseStrategy(
      source,
      new TargetHeads(this.workspace, snapshot.targets),
      stepScope(planId, snapshot, target),
    );
  }
}

function rootDecision(snapshot: PlanSnapshot): DecisionDraft {
  return {
    id: newUlid(),
    parentId: null,
    type: 'prompt_definition',
    question: 'What is the plan prompt?',
    chosen: renderTemplateText(snapshot.action.spec.description, argumentScope(snapshot)),
    actor: snapshot.action.name,
  };
}

/** What earlier attempts decided and nobody has corrected. */
interface Standing {
  readonly rootId: string;
  readonly choice: Decision | null;
  readonly standing: readonly Decision[];
}

/** One decision for the strategy and one for each of its steps: those that stand, and drafts of those that are missing. */
function decisionsOf(
  strategy: Strategy,
  { rootId, choice, standing }: Standing,
  snapshot: PlanSnapshot,
): { steps: ChosenStrategy['steps']; missing: DecisionDraft[] } {
  const chosen = choice ?? choiceDraft(strategy, rootId, snapshot);
  const decided = strategy.steps.map((step) => {
    const isAbout = ({ type, parentId, stepId }: Decision): boolean =>
      type === 'implementation_choice' && parentId === chosen.id && stepId === step.id;
    const stands = standing.find(isAbout);
    return { step: step.id, stands, decision: stands ?? stepDraft(strategy, step, chosen.id, snapshot) };
  });
  return {
    steps: decided.map(({ step, decision }) => ({ id: step, decisionId: decision.id })),
    missing: [
      ...(choice === null ? [chosen] : []),
      ...decided.flatMap(({ stands, decision }) => (stands === undefined ? [decision] : [])),
    ],
  };
}

function choiceDraft(strategy: Strategy, rootId: string, { actors, action }: PlanSnapshot): DecisionDraft {
  return {
    id: newUlid(),
    parentId: rootId,
    type: 'strategy_choice',
    question: `How is ${action.name} reached?`,
    chosen: strategy.id,
    alternatives: strategy.options.map(({ id, isChosen, reasonRejected }, index) => ({
      index: index + 1,
      description: id,
      chosen: isChosen,
      ...(reasonRejected === undefined ? {} : { reasonRejected }),
    })),
    confidence: strategy.confidence,
    rationale: strategy.rationale,
    actor: actors.strategy.name,
  };
}

function stepDraft(strategy: Strategy, step: PlannedStep, parentId: string, { actors }: PlanSnapshot): DecisionDraft {
  return {
    id: newUlid(),
    parentId,
    type: 'implementation_choice',
    question: `What does step ${step.id} do?`,
    chosen: step.description,
    confidence: step.confidence,
    rationale: `Step of strategy ${strategy.id}`,
    actor: actors.strategy.name,
    stepId: step.id,
  };
}

function pick({ id, title, confidence }: Strategy): Pick<Strategy, 'id' | 'title' | 'confidence'> {
  return { id, title, confidence };
}
