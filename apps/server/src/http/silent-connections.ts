import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/**
 * Connections that have not carried a request yet, which browsers and HTTP clients open ahead of need. Node does not
 * count them as idle, so a stopping server would wait for them until its grace is over.
 */
export class SilentConnections {
  private readonly sockets = new Set<Socket>();

  /** Watches a server from now on. */
  constructor(server: Server) {
    // Requests name the socket that carries them: behind TLS that is the one of the finished handshake.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request) => this.sockets.delete(request.socket));
  }

  closeAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
