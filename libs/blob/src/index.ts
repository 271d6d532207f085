export { BlobDownloads } from './blob-downloads.js';
export { BlobModule } from './blob.module.js';
export { BlobStore } from './blob-store.js';
export { SignedUrls } from './signed-urls.js';
