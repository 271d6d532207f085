import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';
import { parseBlobUrl } from './blob-url.js';
import { parseDuration, parseList, parseSize } from './quantity.js';

/** A rule over the text of one variable. Its message names the rule and never the value, which may be a secret. */
function rule(name: string, message: string, holds: (text: string) => boolean): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && holds(value),
      defaultMessage: () => `$property ${message}`,
    },
  });
}

export function IsDurationText(): PropertyDecorator {
  return rule('isDurationText', 'must be a duration above zero such as 500ms, 3s or 30m (bare = seconds)', (text) => {
    const duration = parseDuration(text);
    return duration !== null && duration > 0;
  });
}

export function IsSizeText(): PropertyDecorator {
  return rule('isSizeText', 'must be a size above zero such as 64KiB or 1MiB (bare = bytes)', (text) => {
    const size = parseSize(text);
    return size !== null && size > 0;
  });
}

export function IsWholeNumberText(min: number, max: number): PropertyDecorator {
  return rule('isWholeNumberText', `must be a whole number from ${min} to ${max}`, (text) => {
    const number = Number(text);
    return /^\d+$/.test(text) && number >= min && number <= max;
  });
}

export function IsOneOfTexts(...choices: readonly string[]): PropertyDecorator {
  return rule('isOneOfTexts', `must be one of ${choices.join(', ')}`, (text) => choices.includes(text));
}

export function IsSwitchText(): PropertyDecorator {
  return IsOneOfTexts('on', 'off', 'true', 'false');
}

export function IsBaseUrlText(...protocols: readonly string[]): PropertyDecorator {
  const names = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return rule('isBaseUrlText', `must be a URL that starts with ${names}, without query and fragment`, (text) => {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    return protocols.includes(url.protocol) && url.search === '' && url.hash === '';
  });
}

/** A connection string: the query holds the driver's options. */
export function IsPostgresUrlText(): PropertyDecorator {
  return rule('isPostgresUrlText', 'must be a URL that starts with postgres:// or postgresql://', (text) =>
    /^postgres(ql)?:\/\//.test(text),
  );
}

export function IsBlobUrlText(): PropertyDecorator {
  return rule(
    'isBlobUrlText',
    'must read s3://bucket/prefix?endpoint=https://host&region=name (prefix and query are optional)',
    (text) => parseBlobUrl(text) !== null,
  );
}

export function IsOriginListText(): PropertyDecorator {
  return rule('isOriginListText', 'must list origins such as https://console.example.com, or be *', (text) =>
    parseList(text).every((item) => item === '*' || (URL.canParse(item) && new URL(item).origin === item)),
  );
}

export function IsAddressListText(): PropertyDecorator {
  return rule('isAddressListText', 'must list IP addresses or networks such as 10.0.0.0/8', (text) =>
    parseList(text).every(isAddressOrNetwork),
  );
}

function isAddressOrNetwork(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
