import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '@cleveragents/config';
import { SystemClock } from '@cleveragents/kernel';
import { openKeyFile } from '@cleveragents/secret';
import { BlobDownloads } from './blob-downloads.js';
import { BlobStore } from './blob-store.js';
import { FileBlobStore } from './file-blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';
import { SignedUrls } from './signed-urls.js';

@Module({
  providers: [
    {
      provide: BlobStore,
      useFactory: ({ blob, dataDir }: AppConfig) =>
        blob.s3 === null ? new FileBlobStore(join(dataDir, 'blobs')) : new S3BlobStore(blob.s3),
      inject: [APP_CONFIG],
    },
    {
      provide: SignedUrls,
      useFactory: async ({ dataDir }: AppConfig) =>
        new SignedUrls(await openKeyFile(join(dataDir, 'blob-secret')), new SystemClock()),
      inject: [APP_CONFIG],
    },
    BlobDownloads,
  ],
  exports: [BlobStore, SignedUrls, BlobDownloads],
})
export class BlobModule {}
