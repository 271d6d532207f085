export { openKeyFile, openKeyRing, readKeyRing, type KeyRing } from './key-file.js';
export { readOwnerFile, replaceOwnerFile } from './owner-file.js';
