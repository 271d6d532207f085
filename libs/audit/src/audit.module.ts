import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLog } from './audit-log.js';
import { AuditEntity } from './audit.entity.js';
import { AuditRepository } from './audit.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntity])],
  providers: [{ provide: AuditLog, useClass: AuditRepository }],
  exports: [AuditLog],
})
export class AuditModule {}
