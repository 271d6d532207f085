export type { HealthStatus } from './dto/health.view.js';
export { HealthProbe, type Probe } from './health-probe.js';
export { HealthModule } from './health.module.js';
export { HealthService } from './health.service.js';
