import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { HealthProbe, type Probe, type ProbeFacts } from './health-probe.js';

export interface NamedProbe extends ProbeFacts {
  readonly probe: Probe;
}

/** The probes of this process, found by their decorator. */
@Injectable()
export class HealthProbes implements OnModuleInit {
  private found: readonly NamedProbe[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    this.found = this.discovery.getProviders({ metadataKey: HealthProbe.KEY }).flatMap((wrapper) => {
      const facts = this.discovery.getMetadataByDecorator(HealthProbe, wrapper);
      return facts === undefined ? [] : [{ ...facts, probe: wrapper.instance as Probe }];
    });
  }

  list(): readonly NamedProbe[] {
    return this.found;
  }
}
