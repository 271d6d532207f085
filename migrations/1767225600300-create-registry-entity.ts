import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The registry: current entities, every revision of them, what they refer to, and the calls that may be repeated.
 * Specs are JSON kept as escaped text, which also holds U+0000; `facets` are the few plain fields that lists filter by.
 */
export class CreateRegistryEntity1767225600300 implements MigrationInterface {
  name = 'CreateRegistryEntity1767225600300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE registry_entity (
        id           text        NOT NULL CONSTRAINT registry_entity_pkey PRIMARY KEY,
        kind         text        NOT NULL,
        namespace    text        NOT NULL,
        name         text        NOT NULL,
        spec         text        NOT NULL,
        facets       jsonb       NOT NULL,
        revision     integer     NOT NULL,
        content_hash text        NOT NULL,
        visibility   text        NOT NULL,
        created_by   text        NOT NULL,
        created_at   timestamptz NOT NULL,
        updated_at   timestamptz NOT NULL
      )`);
    // Tools and validations share one space of names.
    await runner.query(`
      CREATE UNIQUE INDEX registry_entity_name
        ON registry_entity (namespace, name, (CASE kind WHEN 'validation' THEN 'tool' ELSE kind END))`);
    await runner.query('CREATE INDEX registry_entity_list ON registry_entity (kind, namespace, name)');
    await runner.query(`
      CREATE TABLE registry_revision (
        entity_id    text        NOT NULL,
        revision     integer     NOT NULL,
        spec         text        NOT NULL,
        content_hash text        NOT NULL,
        changed_by   text        NOT NULL,
        changed_at   timestamptz NOT NULL,
        CONSTRAINT registry_revision_pkey PRIMARY KEY (entity_id, revision)
      )`);
    await runner.query(`
      CREATE TABLE registry_reference (
        source_id   text NOT NULL,
        path        text NOT NULL,
        target_kind text NOT NULL,
        target_name text NOT NULL,
        CONSTRAINT registry_reference_pkey PRIMARY KEY (source_id, path)
      )`);
    await runner.query('CREATE INDEX registry_reference_target ON registry_reference (target_kind, target_name)');
    await runner.query(`
      CREATE TABLE registry_idempotency (
        caller      text        NOT NULL,
        method      text        NOT NULL,
        key         text        NOT NULL,
        params_hash text        NOT NULL,
        entity_id   text        NOT NULL,
        revision    integer     NOT NULL,
        created_at  timestamptz NOT NULL,
        CONSTRAINT registry_idempotency_pkey PRIMARY KEY (caller, method, key)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE registry_idempotency');
    await runner.query('DROP TABLE registry_reference');
    await runner.query('DROP TABLE registry_revision');
    await runner.query('DROP TABLE registry_entity');
  }
}
