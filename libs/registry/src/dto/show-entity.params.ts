import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

export class ShowEntityParams {
  @IsString()
  @MaxLength(400)
  name: string;

  /** An earlier revision; absent = the current one. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  revision?: number;
}
