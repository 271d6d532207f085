import { Module } from '@nestjs/common';
import { NamespaceRepository } from './namespace.repository.js';
import { NamespaceService } from './namespace.service.js';

@Module({
  providers: [NamespaceRepository, NamespaceService],
  exports: [NamespaceService],
})
export class NamespaceModule {}
