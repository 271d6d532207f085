import { Injectable } from '@nestjs/common';

/** Whether this process still takes work. A stopping one is not ready, so that nothing new is sent to it. */
@Injectable()
export class ServerState {
  private stopping = false;

  get isStopping(): boolean {
    return this.stopping;
  }

  beginStop(): void {
    this.stopping = true;
  }
}
