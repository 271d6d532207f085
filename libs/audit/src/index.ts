export { AuditLog, type AuditEntry } from './audit-log.js';
export { AuditModule } from './audit.module.js';
