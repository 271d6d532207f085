export {
  RESERVED_NAMESPACES,
  formatName,
  isNameSegment,
  parseEntityName,
  parseNamespace,
  type EntityName,
  type NameScope,
} from './domain/entity-name.js';
export { NamespaceModule } from './namespace.module.js';
export { NamespaceService } from './namespace.service.js';
