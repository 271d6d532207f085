import { Injectable } from '@nestjs/common';
import { checklistStrategy, chooseStrategy, renderTemplateText, type Strategy } from '@cleveragents/actor';
import { newUlid } from '@cleveragents/kernel';
import { GitWorkspace } from '@cleveragents/workspace';
import { PhaseEnd } from './phase-end.js';
import { TargetHeads } from './places.js';
import type { DecisionDraft } from './plan-journal.js';
import { strategyArtifact } from './plan-messages.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import type { PlanRun } from './plan-run.js';
import type { PlanSnapshot } from './plan-snapshot.entity.js';
import { PlanJournal } from './plan-journal.js';
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
    const strategy = await this.strategyFor(run);
    run.signal.throwIfAborted();
    const { choice, steps } = decisionsOf(strategy, rootId, run.snapshot);
    await run.commit((plan) =>
      this.phaseEnd.finish(plan, run.snapshot, {
        patch: { strategy: { ...pick(strategy), steps: steps.map(({ id, step }) => ({ id: step, decisionId: id })) } },
        decisions: [choice, ...steps.map(({ step: _, ...draft }) => draft)],
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

  private async strategyFor({ planId, snapshot }: PlanRun): Promise<Strategy> {
    const source = strategySource(snapshot);
    if (source === null) {
      const { definition_of_done: done } = snapshot.action.spec;
      return checklistStrategy(renderTemplateText(done, argumentScope(snapshot)));
    }
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

type StepDecision = DecisionDraft & { readonly step: string };

function decisionsOf(
  strategy: Strategy,
  rootId: string,
  { actors, action }: PlanSnapshot,
): { choice: DecisionDraft; steps: StepDecision[] } {
  const actor = actors.strategy.name;
  const choice: DecisionDraft = {
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
    actor,
  };
  const steps = strategy.steps.map((step): StepDecision => ({
    id: newUlid(),
    parentId: choice.id,
    type: 'implementation_choice',
    question: `What does step ${step.id} do?`,
    chosen: step.description,
    confidence: step.confidence,
    rationale: `Step of strategy ${strategy.id}`,
    actor,
    stepId: step.id,
    step: step.id,
  }));
  return { choice, steps };
}

function pick({ id, title, confidence }: Strategy): Pick<Strategy, 'id' | 'title' | 'confidence'> {
  return { id, title, confidence };
}
