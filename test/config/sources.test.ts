import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadProject } from '../../src/config/load-project.ts';
import { folderWith, linesOf, removeFolders } from './project-folder.ts';

afterAll(removeFolders);

const FILES = { 'export/dags.json': '{}', 'wh.duckdb': '', 't1/manifest.json': '{}', 't2/manifest.json': '{}' };

function load(yaml: string | undefined, { environment = {}, flags = [] }: { environment?: NodeJS.ProcessEnv; flags?: string[] } = {}) {
  const folder = folderWith(yaml === undefined ? FILES : { ...FILES, 'soloist.yaml': yaml });
  return loadProject({ folder, sourceFlags: flags, environment, cwd: folder });
}

describe('sources of soloist.yaml', () => {
  it('are read in the long and the short form, relative to the project', async () => {
    const project = await load(
      `sources:
  runs: { kind: airflow-export, path: ./export }
  short: airflow-export:./export
  wh: {kind: duckdb, path: wh.duckdb}
  dbt: {kind: dbt, path: [./t1, ./t2]}
  pg: {kind: postgres, url: \${PG_URL}}
  pg2: postgres:\${PG_URL}
  af: {kind: airflow, url: 'http://localhost:8080', token: \${AIR}}
`,
      { environment: { PG_URL: 'postgresql://u:pw@h/db', AIR: 't0k' } },
    );
    const at = (path: string) => join(project.folder, path);
    expect(project.sources).toEqual([
      { name: 'runs', kind: 'airflow-export', paths: [at('export')] },
      { name: 'short', kind: 'airflow-export', paths: [at('export')] },
      { name: 'wh', kind: 'duckdb', paths: [at('wh.duckdb')] },
      { name: 'dbt', kind: 'dbt', paths: [at('t1'), at('t2')] },
      { name: 'pg', kind: 'postgres', paths: [], url: 'postgresql://u:pw@h/db' },
      { name: 'pg2', kind: 'postgres', paths: [], url: 'postgresql://u:pw@h/db' },
      { name: 'af', kind: 'airflow', paths: [], url: 'http://localhost:8080', token: 't0k' },
    ]);
  });

  it.each([
    ['a: airflow-exprt:./export', '2:6: unknown kind of source "airflow-exprt"; did you mean "airflow-export"?'],
    [
      'a: ./export',
      '2:6: source "a" has no kind; write kind:path; kinds: files, duckdb, sqlite, postgres, airflow, airflow-export, dbt, openlineage, logs',
    ],
    ['a: files:./exprt', '2:6: there is no file or folder "./exprt"; did you mean "export"?'],
    ['a: {kind: dbt, path: [t1, t3]}', '2:29: there is no file or folder "t3"; did you mean "t1"?'],
    ['a: {kind: duckdb, path: export}', '2:27: "export" is a folder; a duckdb source is one database file'],
    ['a: {kind: duckdb}', '2:6: a duckdb source needs "path"; add the key "path"'],
    ['a: {kind: airflow, path: x}', '2:22: a airflow source takes no "path"; it takes "url"'],
    ['a: {kind: files, path: [t1, t2]}', '2:31: a files source has one path; declare a source for each'],
    ['a: {kind: airflow, url: "ftp://h"}', '2:27: the URL of airflow source "a" cannot be read; write http://host:8080 or https://host'],
    ['a: {kind: dukdb, path: x}', '2:13: "sources.a.kind" has the unknown value "dukdb"; did you mean "duckdb"?'],
    ['a: {kind: files, paht: x}', '2:20: unknown key "paht" in "sources.a"; did you mean "path"?'],
    ['a: 7', '2:6: "sources.a" is a number; write text or a map of keys'],
    ['"a b": files:.', '2:3: the name "a b" is not valid; begin with a letter; use letters, digits, "-" and "_"'],
  ])('%s is a problem with its place', async (entry, line) => {
    expect(await linesOf(load(`sources:\n  ${entry}\n`))).toContain(`soloist.yaml:${line}`);
  });

  it('never show what came from the environment', async () => {
    const secret = 'hunter2-secret';
    const lines = await linesOf(
      load(
        `name: "\${S}"
models: {default: "\${S}", critic: {model: "x/\${S}", think: "\${S}", fallback: ["\${S}"]}}
sources:
  a: files:\${S}
  b: {kind: "\${S}", path: .}
  c: {kind: files, path: "\${S}"}
  d: {kind: postgres, url: "\${S}"}
  e: "\${S}:x"
  f: "\${S}"
  g: {kind: dbt, path: ["\${S}", t1]}
agents: ["\${S}"]
tools: "\${S}"
memory: {scope: "\${S}", skills: ["\${S}"], recall: "\${S}"}
permissions: {deny: "\${S}"}
`,
        { environment: { S: secret } },
      ),
    );
    expect(lines.length).toBeGreaterThanOrEqual(14);
    expect(lines.join('\n')).not.toContain(secret);
    expect(lines.join('\n')).toContain('${S}');
  });

  it('name a missing variable once, without what follows from it', async () => {
    const yaml = 'models: {default: "${M}"}\nsources:\n  a: {kind: "${K}", path: .}\n  b: {kind: postgres, url: ${U}}\n  c: files:${P}\n';
    const lines = await linesOf(load(yaml));
    expect(lines.map((line) => line.split(',')[0])).toEqual([
      'soloist.yaml:1:20: "models.default" uses ${M}',
      'soloist.yaml:3:14: "sources.a.kind" uses ${K}',
      'soloist.yaml:4:28: "sources.b.url" uses ${U}',
      'soloist.yaml:5:12: "sources.c" uses ${P}',
    ]);
  });

  it('default to the folder itself', async () => {
    const project = await load('name: x\n');
    expect(project.sources).toEqual([{ name: 'data', kind: 'files', paths: [project.folder], given: 'folder' }]);
  });
});

describe('--source', () => {
  const names = async (flags: string[], yaml?: string) => (await load(yaml, { flags })).sources.map(({ name, kind }) => `${name}:${kind}`);

  it('names a source by its kind and makes the names unique', async () => {
    expect(await names(['dbt:t1', 'dbt:t2', 'mine=dbt:t1', 'dbt:t2'])).toEqual(['dbt:dbt', 'dbt-2:dbt', 'mine:dbt', 'dbt-3:dbt']);
  });

  it('takes several dbt folders with commas', async () => {
    const project = await load(undefined, { flags: ['dbt:t1,t2'] });
    expect(project.sources[0]?.paths).toEqual([join(project.folder, 't1'), join(project.folder, 't2')]);
  });

  it('takes URLs, and the token of Airflow from the environment', async () => {
    const flags = ['af=airflow:https://h/x?a=b', 'postgres:postgresql://u:p@h/db?a=b', 'postgres://u@h/db'];
    const project = await load(undefined, { flags, environment: { AIRFLOW_TOKEN: 't' } });
    expect(project.sources).toEqual([
      { name: 'af', kind: 'airflow', paths: [], url: 'https://h/x?a=b', token: 't', given: 'flag' },
      { name: 'postgres', kind: 'postgres', paths: [], url: 'postgresql://u:p@h/db?a=b', given: 'flag' },
      { name: 'postgres-2', kind: 'postgres', paths: [], url: 'postgres://u@h/db', given: 'flag' },
    ]);
  });

  it('adds to the project, replaces a name, or picks', async () => {
    const yaml = 'sources: {a: "files:t1", b: "files:t2"}\n';
    expect(await names(['files:export'], yaml)).toEqual(['a:files', 'b:files', 'files:files']);
    expect(await names(['a=dbt:t1'], yaml)).toEqual(['b:files', 'a:dbt']);
    expect(await names(['b'], yaml)).toEqual(['b:files']);
    expect(await names(['dbt'], 'sources: {a: "files:t1", dbt: "dbt:t2"}\n')).toEqual(['dbt:dbt']);
    expect(await names(['b', 'logs:export'], yaml)).toEqual(['b:files', 'logs:logs']);
  });

  it.each([
    ['fils:t1', '--source fils:…: unknown kind of source "fils"; did you mean "files"?'],
    [
      'x=mysql://u:pw@h',
      '--source x=mysql:…: unknown kind of source "mysql"; choose one of: files, duckdb, sqlite, postgres, airflow, airflow-export, dbt, openlineage, logs',
    ],
    ['files:nope', '--source files:…: there is no file or folder "nope"; choose one of: export, t1, t2, wh.duckdb'],
    [
      './export',
      '--source …: the kind or the path is missing; write [NAME=]KIND:PATH, e.g. files:./data; kinds: files, duckdb, sqlite, postgres, airflow, airflow-export, dbt, openlineage, logs',
    ],
    ['files', '--source files: the path is missing; write [NAME=]files:PATH'],
    ['files:', '--source files:…: nothing follows "files:"; write its path'],
    ['ghost', '--source ghost: the project declares no source "ghost"; write [NAME=]KIND:PATH, e.g. files:./data'],
    [
      'pg=postgres:u:hunter2@h',
      '--source pg=postgres:…: the URL of postgres source "pg" cannot be read; write postgresql://user@host:5432/database',
    ],
  ])('%s is a problem that shows no secret', async (flag, line) => {
    expect(await linesOf(load(undefined, { flags: [flag] }))).toEqual([line]);
  });

  it('refuses one name twice', async () => {
    expect(await linesOf(load(undefined, { flags: ['a=dbt:t1', 'a=dbt:t2'] }))).toEqual([
      '--source a=…: source "a" is given twice; name them differently',
    ]);
  });
});
