import { IsIn, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import type { Visibility } from '../domain/entity-kind.js';

/** Fields of every kind of entity. Each kind adds its `description`, because some demand one. */
export abstract class AddEntityParams {
  @IsString()
  @MaxLength(400)
  name: string;

  @IsOptional()
  @IsObject()
  labels?: Record<string, string>;

  /** `public`: every authenticated user may read it. */
  @IsOptional()
  @IsIn(['namespace', 'public'])
  visibility?: Visibility;
}
