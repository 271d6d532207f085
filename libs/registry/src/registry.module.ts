import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '@cleveragents/audit';
import { AuthModule } from '@cleveragents/auth';
import { Clock, SystemClock } from '@cleveragents/kernel';
import { NamespaceModule } from '@cleveragents/namespace';
import { ToolModule } from '@cleveragents/tool';
import { WorkspaceModule } from '@cleveragents/workspace';
import { BuiltInEntities } from './built-in/built-in-entities.js';
import { EntityAccess } from './entity-access.js';
import { EntityDrafts } from './entity-drafts.js';
import { EntityLists } from './entity-lists.js';
import { EntityNames } from './entity-names.js';
import { EntityViews } from './entity-views.js';
import { EntityWriter } from './entity-writer.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { ENTITY_CATALOGUE } from './kind/entity-catalogue.js';
import { EntityKinds } from './kind/entity-kinds.js';
import type { KindBehaviour } from './kind/kind-behaviour.js';
import { ResourceProbe } from './kind/resource-probe.js';
import { PlanUsage } from './plan-usage.js';
import { ReferenceCheck } from './reference-check.js';
import { RegistryEntityRow } from './registry.entity.js';
import { RegistryIdempotencyRow } from './registry-idempotency.entity.js';
import { RegistryReader } from './registry-reader.js';
import { RegistryReferenceRow } from './registry-reference.entity.js';
import { RegistryRepository } from './registry.repository.js';
import { RegistryRevisionRow } from './registry-revision.entity.js';
import { registryRpcFor } from './registry.rpc.js';
import { RegistryService } from './registry.service.js';

const BEHAVIOURS = ENTITY_CATALOGUE.map(({ behaviour }) => behaviour);

@Module({
  imports: [
    TypeOrmModule.forFeature([RegistryEntityRow, RegistryRevisionRow, RegistryReferenceRow, RegistryIdempotencyRow]),
    AuditModule,
    AuthModule,
    NamespaceModule,
    ToolModule,
    WorkspaceModule,
  ],
  providers: [
    { provide: Clock, useClass: SystemClock },
    {
      provide: EntityKinds,
      inject: BEHAVIOURS,
      useFactory: (...behaviours: KindBehaviour[]) => new EntityKinds(behaviours),
    },
    ...BEHAVIOURS,
    ...ENTITY_CATALOGUE.map(registryRpcFor),
    BuiltInEntities,
    EntityAccess,
    EntityDrafts,
    EntityLists,
    EntityNames,
    EntityViews,
    EntityWriter,
    IdempotencyRepository,
    PlanUsage,
    ReferenceCheck,
    RegistryReader,
    RegistryRepository,
    RegistryService,
    ResourceProbe,
  ],
  exports: [PlanUsage, RegistryReader, RegistryService],
})
export class RegistryModule {}
