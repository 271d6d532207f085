export { AuditLog, type AuditEntry } from './audit-log.js';
