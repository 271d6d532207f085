import type { JsonObject } from '@cleveragents/kernel';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsISO8601, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';

export class EntityRefView {
  @IsString()
  kind: string;

  @IsString()
  name: string;
}

/** One entity. The entity itself stands under the name of its kind, beside the sections that the kind adds. */
export class EntityView {
  [section: string]: unknown;

  @IsInt()
  revision: number;

  /** `sha256:` and the hash of the canonical JSON of the spec. */
  @IsString()
  content_hash: string;

  @IsISO8601()
  created_at: string;

  @IsISO8601()
  updated_at: string;

  @IsString()
  created_by: string;

  @IsIn(['built-in', 'custom'])
  source: 'built-in' | 'custom';

  @ValidateNested({ each: true })
  @Type(() => EntityRefView)
  referenced_by: EntityRefView[];

  @IsOptional()
  @IsString({ each: true })
  warnings?: string[];
}

/** A page of a list. The items stand under the plural of their kind as well. */
export class EntityListView {
  [plural: string]: unknown;

  @IsObject({ each: true })
  items: JsonObject[];

  /** The filters that were applied. */
  @IsObject()
  filters: JsonObject;

  /** Counts of all that match, not of the page. */
  @IsObject()
  summary: JsonObject;

  @JSONSchema({ type: ['string', 'null'] })
  @IsString()
  next_cursor: string | null;
}
