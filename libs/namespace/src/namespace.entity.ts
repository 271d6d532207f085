import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'namespace' })
export class NamespaceRow {
  @PrimaryColumn({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'created_by', type: 'text' })
  createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
