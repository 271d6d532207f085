import type { S3Config } from './app-config.js';

type S3Place = Pick<S3Config, 'endpoint' | 'region' | 'bucket' | 'prefix'>;

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,50}$/;
/** Segments of characters that no signer and no service escapes differently. */
const PREFIX = /^([A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;
const OPTIONS = new Set(['endpoint', 'region']);

/** The place that `s3://bucket/prefix?endpoint=…&region=…` names; null for anything else. */
export function parseBlobUrl(text: string): S3Place | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 's3:' || hasExtras(url)) return null;
  const region = url.searchParams.get('region') ?? 'us-east-1';
  const endpoint = parseEndpoint(url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  if (endpoint === null) return null;
  const path = url.pathname.replace(/^\/|\/$/g, '');
  const place = { endpoint, region, bucket: url.hostname, prefix: path === '' ? '' : `${path}/` };
  return isSound(place) ? place : null;
}

/** Credentials do not belong into a URL; an unknown option would be ignored silently. */
function hasExtras(url: URL): boolean {
  const isPlain = [url.username, url.password, url.port, url.hash].every((part) => part === '');
  return !isPlain || [...url.searchParams.keys()].some((name) => !OPTIONS.has(name));
}

function parseEndpoint(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text);
  const isPlain = [search, hash, username, password].every((part) => part === '') && pathname === '/';
  return isPlain && ['http:', 'https:'].includes(protocol) ? origin : null;
}

function isSound({ bucket, region, prefix }: S3Place): boolean {
  return BUCKET.test(bucket) && REGION.test(region) && PREFIX.test(prefix);
}
