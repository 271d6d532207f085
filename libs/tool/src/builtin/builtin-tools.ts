import { bindTool, type BoundTool } from '../bound-tool.js';
import type { CommandRunner } from '../command-runner.js';
import { SchemaCompiler } from '../schema-compiler.js';
import { deleteFileTool } from './delete-file.js';
import { editFileTool } from './edit-file.js';
import { listFilesTool } from './list-files.js';
import { moveFileTool } from './move-file.js';
import { readFileTool } from './read-file.js';
import { runCommandTool } from './run-command.js';
import { searchFilesTool } from './search-files.js';
import { writeFileTool } from './write-file.js';

export function bindBuiltinTools(commands: CommandRunner): BoundTool[] {
  const schemas = new SchemaCompiler();
  return [
    bindTool(readFileTool, schemas),
    bindTool(writeFileTool, schemas),
    bindTool(editFileTool, schemas),
    bindTool(deleteFileTool, schemas),
    bindTool(moveFileTool, schemas),
    bindTool(listFilesTool, schemas),
    bindTool(searchFilesTool(commands), schemas),
    bindTool(runCommandTool(commands), schemas),
  ];
}
