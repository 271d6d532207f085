import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { PRODUCT_VERSION } from '@cleveragents/config';

/** Swagger UI at /docs. The document is made when it is first asked for. */
export function serveApiDocs(app: INestApplication): void {
  const outline = new DocumentBuilder()
    .setTitle('CleverAgents Server')
    .setDescription('Everything but the probes and the agent cards is one endpoint: JSON-RPC 2.0 at POST /a2a.')
    .setVersion(PRODUCT_VERSION)
    .addBearerAuth()
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, outline));
}
