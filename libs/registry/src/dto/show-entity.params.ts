import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';

export class ShowEntityParams {
  @IsString()
  @MaxLength(400)
  name: string;

  /** An earlier revision; absent = the current one. */
  @IsOptional()
  @IsInt()
  @Min(1)
  revision?: number;
}
