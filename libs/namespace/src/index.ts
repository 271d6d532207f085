export {
  formatName,
  isProvidedNamespace,
  parseEntityName,
  parseNamespace,
  type EntityName,
  type NameScope,
} from './entity-name.js';
export { NamespaceModule } from './namespace.module.js';
export { NamespaceService } from './namespace.service.js';
