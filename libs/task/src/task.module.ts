import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '@cleveragents/audit';
import { AuthModule } from '@cleveragents/auth';
import { BlobModule } from '@cleveragents/blob';
import { EngineModule, WakeUpModule } from '@cleveragents/engine';
import { Clock, SystemClock } from '@cleveragents/kernel';
import { OutboundModule } from '@cleveragents/outbound';
import { AgentHost } from './agent/agent-host.js';
import { ClientAnswers } from './client-answers.js';
import { ClientRequestSweeper } from './client-request-sweeper.js';
import { Executors } from './executors.js';
import { CommitWriter } from './log/commit-writer.js';
import { FanOut } from './log/fan-out.js';
import { Lanes } from './log/lanes.js';
import { LargeContents } from './log/large-contents.js';
import { LiveTasks } from './log/live-tasks.js';
import { TaskEventBus } from './log/task-event-bus.js';
import { TaskReader } from './log/task-reader.js';
import { TransactionalJournal } from './log/transactional-journal.js';
import { TransitionLog } from './log/transition-log.js';
import { MessageIntake } from './message-intake.js';
import { MessageService } from './message.service.js';
import { NamedTasks } from './named-tasks.js';
import { OrphanSweeper } from './orphan-sweeper.js';
import { OverdueSweeper } from './overdue-sweeper.js';
import { PushConfigRow } from './push/push-config.entity.js';
import { PUSH_PROVIDERS } from './push/push.providers.js';
import { RequestLedger } from './request-ledger.js';
import { SignedParts } from './signed-parts.js';
import { TaskCounts } from './task-counts.js';
import { TaskJournal } from './task-journal.js';
import { ArtifactRow, MessageRow, TaskEventRow } from './task-log.entity.js';
import { TakenRuns } from './taken-runs.js';
import { TaskStreams } from './task-streams.js';
import { TaskTakeover } from './task-takeover.js';
import { TaskVisibility } from './task-visibility.js';
import { TaskWatcher } from './task-watcher.js';
import { TaskRow } from './task.entity.js';
import { TaskRepository } from './task.repository.js';
import { TaskRpc } from './task.rpc.js';
import { TaskService } from './task.service.js';

@Module({
  imports: [
    AuditModule,
    AuthModule,
    BlobModule,
    DiscoveryModule,
    EngineModule,
    OutboundModule,
    WakeUpModule,
    TypeOrmModule.forFeature([TaskRow, TaskEventRow, MessageRow, ArtifactRow, PushConfigRow]),
  ],
  providers: [
    { provide: Clock, useClass: SystemClock },
    { provide: TaskJournal, useClass: TransactionalJournal },
    AgentHost,
    ClientAnswers,
    ClientRequestSweeper,
    CommitWriter,
    Executors,
    FanOut,
    Lanes,
    LargeContents,
    LiveTasks,
    MessageIntake,
    MessageService,
    NamedTasks,
    OrphanSweeper,
    OverdueSweeper,
    ...PUSH_PROVIDERS,
    RequestLedger,
    SignedParts,
    TakenRuns,
    TaskCounts,
    TaskEventBus,
    TaskReader,
    TaskRepository,
    TaskRpc,
    TaskService,
    TaskStreams,
    TaskTakeover,
    TaskVisibility,
    TaskWatcher,
    TransitionLog,
  ],
  exports: [TaskJournal, TaskWatcher],
})
export class TaskModule {}
