import { IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

export class ListEntitiesParams {
  @IsOptional()
  @IsString()
  @MaxLength(64)
  namespace?: string;

  @IsOptional()
  @IsBoolean()
  include_builtin?: boolean;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  @MaxLength(400)
  cursor?: string;
}
