import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, NotFoundException, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { BlobDownloads } from '@cleveragents/blob';
import { ResourceNotFoundError } from '@cleveragents/kernel';

type Download = Awaited<ReturnType<BlobDownloads['open']>>;

/** What large artifact parts point to. The signature in the URL is the permission: readers need no token. */
@ApiTags('artifacts')
@Controller()
export class BlobController {
  constructor(private readonly downloads: BlobDownloads) {}

  @ApiOperation({ summary: 'The content of an artifact part above 1 MiB, by the signed URL in the part' })
  @ApiParam({ name: 'key', type: String })
  @ApiQuery({ name: 'expires', type: String })
  @ApiQuery({ name: 'sig', type: String })
  @ApiResponse({ status: 200, description: 'The content, in the media type of the part' })
  @ApiResponse({ status: 404, description: 'The URL is forged or has expired, or the content is gone' })
  @Get('blobs/:key')
  async download(
    @Param('key') key: string,
    @Query() query: Record<string, unknown>,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const { headers, content } = await this.open(key, query);
    response.writeHead(200, headers);
    if (request.method === 'HEAD') {
      content.destroy();
      response.end();
      return;
    }
    // A reader who leaves, or a store that breaks off, ends both sides; there is nobody left to be told.
    await pipeline(content, response).catch(() => response.destroy());
  }

  private async open(key: string, query: Record<string, unknown>): Promise<Download> {
    try {
      return await this.downloads.open(key, query);
    } catch (error) {
      if (!(error instanceof ResourceNotFoundError)) throw error;
      throw new NotFoundException({ error: error.message, reason: error.reason }, { cause: error });
    }
  }
}
