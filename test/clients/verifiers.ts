/** The verifiers of clients/verify, each run over clients/vectors.json by a small program in its own language. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFile } from '../support/root.js';
import { bodyOf, VECTOR_FILE, type VectorFile } from '../vectors/generate-webhook-signatures.js';

export interface Verifier {
  readonly language: string;
  /** Its file, as docs/webhooks.md names it. */
  readonly file: string;
  /** Succeeds where the language is installed. */
  readonly probe: readonly [string, ...string[]];
  /** Names and texts of the program's other files. */
  readonly program: Readonly<Record<string, string>>;
  /** Place of the verifier in the program's folder. */
  readonly place: string;
  readonly run: readonly [string, ...string[]];
}

export interface Judged {
  readonly name: string;
  readonly accepted: boolean;
}

const { vectors } = JSON.parse(readFileSync(VECTOR_FILE, 'utf8')) as VectorFile;

/** Signed by nobody: the receiver forgot to set its secret, and a stranger signed with none. */
const UNSET = {
  name: 'a secret that was never set',
  line: [
    '1772366400',
    '',
    '1772366400',
    `v1=${createHmac('sha256', '').update('1772366400.').digest('hex')}`,
    '',
  ],
};

const coded = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

/** One line for each vector and secret: unix time, body, timestamp, signature, secret. `-` stands for "absent". */
const cases = [
  ...vectors.flatMap((vector) => {
    const { headers, now } = vector;
    const header = (name: string): string => (headers[name] === undefined ? '-' : coded(headers[name]));
    return vector.secrets.map((secret) => ({
      name: vector.name,
      line: [
        String(now),
        coded(bodyOf(vector)),
        header('Service-Timestamp'),
        header('Service-Signature'),
        coded(secret),
      ],
    }));
  }),
  { name: UNSET.name, line: UNSET.line.map((part, at) => (at === 0 ? part : coded(part))) },
];

export const expected: readonly Judged[] = [
  ...vectors.map(({ name, expect }) => ({ name, accepted: expect.service === 'valid' })),
  { name: UNSET.name, accepted: false },
];

export function isInstalled({ probe: [command, ...parameters] }: Verifier): boolean {
  return spawnSync(command, parameters, { stdio: 'ignore' }).status === 0;
}

/** @throws Error with the program's complaint */
export function judgedBy(verifier: Verifier): readonly Judged[] {
  const folder = mkdtempSync(join(tmpdir(), 'recado-verifier-'));
  try {
    for (const [name, text] of Object.entries(verifier.program)) writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, verifier.place, '..'), { recursive: true });
    cpSync(projectFile(verifier.file), join(folder, verifier.place));
    const [command, ...parameters] = verifier.run;
    const input = cases.map(({ line }) => line.join('\t') + '\n').join('');
    const output = execFileSync(command, parameters, { cwd: folder, input, encoding: 'utf8' });
    const verdicts = output.trim().split('\n');
    if (verdicts.length !== cases.length) throw new Error(`${verdicts.length} answers: ${output}`);
    return expected.map(({ name }) => ({
      name,
      accepted: cases.some((one, at) => one.name === name && verdicts[at] === 'true'),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those that start in a moment. */
export const SCRIPTS: readonly Verifier[] = [
  {
    language: 'Python',
    file: 'clients/verify/python/recado_webhooks.py',
    probe: ['python3', '--version'],
    place: 'recado_webhooks.py',
    run: ['python3', '-B', 'main.py'],
    program: {
      'main.py': `import sys
from base64 import b64decode
from recado_webhooks import is_authentic
text = lambda part: None if part == "-" else b64decode(part).decode()
for line in sys.stdin:
    now, body, timestamp, signature, secret = line.rstrip("\\n").split("\\t")
    ok = is_authentic(b64decode(body), text(timestamp), text(signature), text(secret), int(now))
    print("true" if ok else "false")
`,
    },
  },
  {
    language: 'PHP',
    file: 'clients/verify/php/recado_webhooks.php',
    probe: ['php', '--version'],
    place: 'recado_webhooks.php',
    run: ['php', 'main.php'],
    program: {
      'main.php': `<?php
require 'recado_webhooks.php';
$text = fn (string $part) => $part === '-' ? null : base64_decode($part);
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    [$now, $body, $timestamp, $signature, $secret] = explode("\\t", $line);
    $ok = is_authentic($text($body), $text($timestamp), $text($signature), $text($secret), (int) $now);
    echo $ok ? "true\\n" : "false\\n";
}
`,
    },
  },
  {
    language: 'Ruby',
    file: 'clients/verify/ruby/recado_webhooks.rb',
    probe: ['ruby', '--version'],
    place: 'recado_webhooks.rb',
    run: ['ruby', 'main.rb'],
    program: {
      'main.rb': `require_relative 'recado_webhooks'
text = ->(part) { part == '-' ? nil : part.unpack1('m') }
$stdin.each_line(chomp: true) do |line|
  now, *rest = line.split("\\t", -1)
  puts RecadoWebhooks.authentic?(*rest.map(&text), now: now.to_i)
end
`,
    },
  },
];

/** Those that are compiled first, which takes seconds. */
export const COMPILED: readonly Verifier[] = [
  {
    language: 'Go',
    file: 'clients/verify/go/recado_webhooks.go',
    probe: ['go', 'version'],
    place: 'recado/recado_webhooks.go',
    run: ['go', 'run', '.'],
    program: {
      'go.mod': 'module check\n\ngo 1.18\n',
      'main.go': `package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"check/recado"
)

func text(part string) string {
	if part == "-" {
		return ""
	}
	bytes, err := base64.StdEncoding.DecodeString(part)
	if err != nil {
		panic(err)
	}
	return string(bytes)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		part := strings.Split(lines.Text(), "\\t")
		now, _ := strconv.ParseInt(part[0], 10, 64)
		body := []byte(text(part[1]))
		fmt.Println(recado.IsAuthentic(body, text(part[2]), text(part[3]), text(part[4]), time.Unix(now, 0)))
	}
}
`,
    },
  },
  {
    language: 'Java',
    file: 'clients/verify/java/RecadoWebhooks.java',
    probe: ['javac', '-version'],
    place: 'RecadoWebhooks.java',
    run: ['sh', '-c', 'javac -Xlint:all -Werror *.java && java -Xshare:auto Main'],
    program: {
      'Main.java': `import java.io.*;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

public class Main {
    static String text(String part) {
        return part.equals("-") ? null : new String(Base64.getDecoder().decode(part), StandardCharsets.UTF_8);
    }

    public static void main(String[] none) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] part = line.split("\\t", -1);
            byte[] body = Base64.getDecoder().decode(part[1]);
            Instant now = Instant.ofEpochSecond(Long.parseLong(part[0]));
            System.out.println(
                RecadoWebhooks.isAuthentic(body, text(part[2]), text(part[3]), text(part[4]), now));
        }
    }
}
`,
    },
  },
];
