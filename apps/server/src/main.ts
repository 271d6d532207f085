import { loadConfig, PRODUCT_VERSION } from '@cleveragents/config';
import { CleverAgentsError } from '@cleveragents/kernel';
import { createLogger } from '@cleveragents/observability';
import { RunningServer } from './running-server.js';

/** `npm start`: the server until SIGTERM or SIGINT. */
try {
  const config = loadConfig();
  const logger = createLogger(config.log);
  // A fault that nobody waits for any more belongs into the log; it must not end everybody else's calls.
  process.on('unhandledRejection', (reason) => logger.write('error', { err: reason }, 'unhandled rejection'));
  const server = await RunningServer.start(config, logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.log(`${signal}: stopping`);
      // What still hangs after the grace period must not keep the process.
      setTimeout(() => process.exit(1), config.engine.shutdownGraceMs + 1000).unref();
      void server.stop().then(() => {
        logger.flush();
        process.exit(0);
      });
    });
  }
  // Told last: whoever reads it may stop the server at once.
  process.stdout.write(welcome(server));
} catch (error) {
  // A fault of the set-up is told in one line; anything else is a bug and shows its stack.
  if (!(error instanceof CleverAgentsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

function welcome({ baseUrl, listenUrl, tokenFile }: RunningServer): string {
  const call = '{"jsonrpc":"2.0","id":1,"method":"_cleveragents/health/check"}';
  return [
    `CleverAgents ${PRODUCT_VERSION} is ready`,
    `  Agent card: ${baseUrl}/.well-known/agent-card.json`,
    `  Token file: ${tokenFile}`,
    `  First call: curl -s ${listenUrl}/a2a -H "Authorization: Bearer $(cat '${tokenFile}')" -H 'Content-Type: application/json' -d '${call}'`,
    '',
  ].join('\n');
}
