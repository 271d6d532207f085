import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock, SystemClock } from '@cleveragents/kernel';
import { NamespaceRow } from './namespace.entity.js';
import { NamespaceRepository } from './namespace.repository.js';
import { NamespaceService } from './namespace.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([NamespaceRow])],
  providers: [{ provide: Clock, useClass: SystemClock }, NamespaceRepository, NamespaceService],
  exports: [NamespaceService],
})
export class NamespaceModule {}
