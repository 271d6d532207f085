import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ServerResponse } from 'node:http';
import { HealthService, type HealthStatus } from '@cleveragents/health';
import { ServerState } from './server-state.js';

interface StatusBody {
  readonly status: HealthStatus;
}

const BODY = { schema: { example: { status: 'ok' } } };

/** Probes of orchestrators and load balancers: no token, nothing but the status. */
@ApiTags('health')
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly state: ServerState,
  ) {}

  @ApiOperation({ summary: 'The process runs; restart it when this fails' })
  @ApiResponse({ status: 200, ...BODY })
  @Get('live')
  live(): StatusBody {
    return { status: 'ok' };
  }

  @ApiOperation({ summary: 'The server takes calls; route traffic to it only while this is 200' })
  @ApiResponse({ status: 200, ...BODY })
  @ApiResponse({ status: 503, description: 'Not yet, not any more, or a dependency is down' })
  @Get('ready')
  ready(@Res({ passthrough: true }) response: ServerResponse): Promise<StatusBody> {
    return this.answer(response, this.state.isStopping);
  }

  @ApiOperation({ summary: 'Health of the server and what it depends on; details by _cleveragents/health/check' })
  @ApiResponse({ status: 200, ...BODY })
  @ApiResponse({ status: 503, description: 'A dependency is down' })
  @Get('health')
  check(@Res({ passthrough: true }) response: ServerResponse): Promise<StatusBody> {
    return this.answer(response, false);
  }

  private async answer(response: ServerResponse, isClosed: boolean): Promise<StatusBody> {
    const status = isClosed ? 'error' : await this.health.status();
    if (status === 'error') response.statusCode = HttpStatus.SERVICE_UNAVAILABLE;
    response.setHeader('Cache-Control', 'no-store');
    return { status };
  }
}
