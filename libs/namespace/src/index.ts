export { formatName, isProvidedNamespace, type EntityName, type NameScope } from './entity-name.js';
export { NamespaceModule } from './namespace.module.js';
export { NamespaceService } from './namespace.service.js';
