import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActorModule } from '@cleveragents/actor';
import { AuditModule } from '@cleveragents/audit';
import { AuthModule } from '@cleveragents/auth';
import { EngineModule, QueueModule } from '@cleveragents/engine';
import { Clock, SystemClock } from '@cleveragents/kernel';
import { NamespaceModule } from '@cleveragents/namespace';
import { RegistryModule } from '@cleveragents/registry';
import { TaskModule } from '@cleveragents/task';
import { ToolModule } from '@cleveragents/tool';
import { WorkspaceModule } from '@cleveragents/workspace';
import { ActorChoice } from './actor-choice.js';
import { AppendCorrection } from './append-correction.js';
import { ApplyRun } from './apply-run.js';
import { Assistant } from './assistant.js';
import { ChangesetReader } from './changeset-reader.js';
import { CorrectionComparison } from './correction-comparison.js';
import { ExecuteRun } from './execute-run.js';
import { GateKeeper } from './gate-keeper.js';
import { PhaseEnd } from './phase-end.js';
import { PhaseRunner } from './phase-runner.js';
import { PlanAccess } from './plan-access.js';
import { PlanArtifacts } from './plan-artifacts.js';
import { PlanCheckpointRow } from './plan-checkpoint.entity.js';
import { PlanCorrection } from './plan-correction.js';
import { PlanCreation } from './plan-creation.js';
import { PlanDecisionRow } from './plan-decision.entity.js';
import { PlanDrafting } from './plan-drafting.js';
import { PlanDriver } from './plan-driver.js';
import { PlanExecutor } from './plan-executor.js';
import { PlanGuidance } from './plan-guidance.js';
import { PlanJournal } from './plan-journal.js';
import { PlanLifecycle } from './plan-lifecycle.service.js';
import { PlanRecordRepository } from './plan-record.repository.js';
import { PlanReferenceRow } from './plan-reference.entity.js';
import { PlanReports } from './plan-reports.js';
import { PlanRest } from './plan-rest.js';
import { PlanRollback } from './plan-rollback.js';
import { PlanResumption } from './plan-resumption.js';
import { PlanRunner } from './plan-runner.js';
import { PlanSnapshotRow } from './plan-snapshot.entity.js';
import { PlanStepRow } from './plan-step.entity.js';
import { PlanTaskRow } from './plan-task.entity.js';
import { PlanUndo } from './plan-undo.js';
import { PlanUpkeep } from './plan-upkeep.js';
import { PlanUsageCounts } from './plan-usage-counts.js';
import { PlanValidationResultRow } from './plan-validation-result.entity.js';
import { PlanWork } from './plan-work.js';
import { PlanRow } from './plan.entity.js';
import { PlanRepository } from './plan.repository.js';
import { PlanRpc } from './plan.rpc.js';
import { PlanService } from './plan.service.js';
import { RevertCorrection } from './revert-correction.js';
import { SandboxKeeper } from './sandbox-keeper.js';
import { StepRecorderFactory } from './step-recorder.js';
import { StrategizeRun } from './strategize-run.js';
import { ValidationRun } from './validation-run.js';

const ROWS = [
  PlanRow,
  PlanSnapshotRow,
  PlanReferenceRow,
  PlanTaskRow,
  PlanDecisionRow,
  PlanStepRow,
  PlanCheckpointRow,
  PlanValidationResultRow,
];

@Module({
  imports: [
    TypeOrmModule.forFeature(ROWS),
    ActorModule,
    AuditModule,
    AuthModule,
    EngineModule,
    NamespaceModule,
    QueueModule,
    RegistryModule,
    TaskModule,
    ToolModule,
    WorkspaceModule,
  ],
  providers: [
    { provide: Clock, useClass: SystemClock },
    ActorChoice,
    AppendCorrection,
    ApplyRun,
    Assistant,
    ChangesetReader,
    CorrectionComparison,
    ExecuteRun,
    GateKeeper,
    PhaseEnd,
    PhaseRunner,
    PlanAccess,
    PlanArtifacts,
    PlanCorrection,
    PlanCreation,
    PlanDrafting,
    PlanDriver,
    PlanExecutor,
    PlanGuidance,
    PlanJournal,
    PlanLifecycle,
    PlanRecordRepository,
    PlanReports,
    PlanRepository,
    PlanRest,
    PlanResumption,
    PlanRpc,
    PlanRollback,
    PlanRunner,
    PlanService,
    PlanUndo,
    PlanUpkeep,
    PlanUsageCounts,
    PlanWork,
    RevertCorrection,
    SandboxKeeper,
    StepRecorderFactory,
    StrategizeRun,
    ValidationRun,
  ],
  exports: [PlanService, PlanLifecycle],
})
export class PlanModule {}
