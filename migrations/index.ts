import { CreateAudit1767225600000 } from './1767225600000-create-audit.js';

/** Every migration, oldest first. A merged one is never changed: a correction is a new one at the end. */
export const MIGRATIONS = [CreateAudit1767225600000] as const;
