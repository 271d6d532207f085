import { Injectable } from '@nestjs/common';
import { type FieldProblem, type JsonObject, newUlid } from '@cleveragents/kernel';
import { type EntityReference, referenceTo } from '../domain/entity-reference.js';
import { present } from '../domain/present.js';
import type { RegistryEntity } from '../domain/registry-entity.js';
import type { ValidationAttachment, ValidationSpec } from '../domain/tool-spec.js';
import { COMMAND_TIMEOUT_S, PASSED_SCHEMA, validationProblems } from '../domain/validation-rules.js';
import type { AddValidationParams, ValidationAttachmentParams } from '../dto/add-validation.params.js';
import { type DraftContext, KindBehaviour, type ShownEntity } from './kind-behaviour.js';

@Injectable()
export class ValidationBehaviour extends KindBehaviour<'validation', AddValidationParams> {
  override toSpec(params: AddValidationParams, { nameOf }: DraftContext): ValidationSpec {
    const { implementation, labels, transform } = params;
    const wraps = params.wraps === undefined ? undefined : nameOf('tool', params.wraps, 'wraps');
    return {
      ...present({ labels, implementation, wraps, transform }),
      description: params.description ?? defaultDescription(params),
      source: params.source ?? (implementation === undefined ? 'custom' : 'command'),
      mode: params.mode,
      input_schema: params.input_schema ?? { type: 'object' },
      output_schema: params.output_schema ?? PASSED_SCHEMA,
      read_only: true,
      writes: false,
      checkpointable: false,
      network: params.network ?? false,
      timeout: params.timeout ?? COMMAND_TIMEOUT_S,
      args: params.args ?? {},
      attachments: (params.attachments ?? []).map((attachment, index) =>
        attachmentOf(attachment, nameOf, `attachments.${index}`),
      ),
    };
  }

  override problems(spec: ValidationSpec): FieldProblem[] {
    return validationProblems(spec);
  }

  /** An attachment decides what runs for every plan of its target, so it needs the right to change the target. */
  override references(spec: ValidationSpec): EntityReference[] {
    return [
      ...referenceTo('tool', spec.wraps, 'wraps'),
      ...spec.attachments
        .flatMap(({ project, resource }, index) => [
          ...referenceTo('project', project, `attachments.${index}.project`),
          ...referenceTo('resource', resource, `attachments.${index}.resource`),
        ])
        .map((reference) => ({ ...reference, role: 'maintainer' as const })),
    ];
  }

  override facets({ mode }: ValidationSpec): Record<string, string> {
    return { mode };
  }

  override async listItems(entities: readonly RegistryEntity<'validation'>[]): Promise<readonly JsonObject[]> {
    return entities.map(({ spec }) => ({
      description: spec.description,
      mode: spec.mode,
      attachments: spec.attachments.length,
    }));
  }

  override async show({ name, spec }: RegistryEntity<'validation'>): Promise<ShownEntity> {
    return { body: { attachments: spec.attachments.map((attachment) => attachmentView(attachment, name, spec)) } };
  }
}

function defaultDescription({ implementation, wraps }: AddValidationParams): string {
  return implementation === undefined ? `Checks the output of ${wraps ?? 'a tool'}` : implementation.argv.join(' ');
}

function attachmentOf(
  { project, resource, mode, args }: ValidationAttachmentParams,
  nameOf: DraftContext['nameOf'],
  path: string,
): ValidationAttachment {
  return {
    attachment_id: newUlid(),
    ...present({
      project: project && nameOf('project', project, `${path}.project`),
      resource: resource && nameOf('resource', resource, `${path}.resource`),
      mode,
      args,
    }),
  };
}

function attachmentView(attachment: ValidationAttachment, validation: string, spec: ValidationSpec): JsonObject {
  return {
    attachment_id: attachment.attachment_id,
    validation,
    mode: attachment.mode ?? spec.mode,
    resource: attachment.resource ?? null,
    project: attachment.project ?? null,
    scope: attachment.project === undefined ? 'resource' : 'project',
    args: { ...spec.args, ...attachment.args },
  };
}
