//! `authenticate`: writes Liqo's handshake into the document, in two halves. The consumer's half is signed with the key of its Liqo; the
//! provider's half is what its Liqo has signed. Each half can be handed over as a file.

mod write;

use super::provider::Provider;
use crate::command::{Error, Result, Streams};
use crate::custody::keys::random;
use crate::diagnostic::{Rule, readable, secrecy, shown_name};
use crate::input::file::{Links, read_text, shown_path};
use crate::input::folder::{DOCUMENT, Folder};
use crate::input::yaml::{self, Node};
use crate::peering::authentication::credential::keys_exchange::ClientKey;
use crate::peering::authentication::credential::keys_exchange::{CONTROL_PLANE, Nonce};
use crate::peering::{Peering, Role};
use crate::state::ProgramProblem;
use crate::{custody, rules};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use std::path::PathBuf;
use write::{Fields, direction, insert};
use zeroize::Zeroizing;

/// Exchange keys as Liqo does: a credential that Liqo renews
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  argocd-peering authenticate consumer peerings/rome-milan --from-context rome
  argocd-peering authenticate provider peerings/rome-milan --from-context milan
  argocd-peering authenticate consumer peerings/rome-milan \\
    --from-context rome --print > rome.yaml
  argocd-peering authenticate consumer peerings/rome-milan --from-file rome.yaml

The first, for the consumer's administrator: it reads Liqo's private key from the Secret `authentication-keys` with your kubectl, makes \
`publicKey`, `csr` and `signature` with it, and forgets it; nothing is written to the cluster, to a disk or to an argument. The second, \
for the provider's administrator, after the commit of the first is synced: it reads `status.authParams` of the Tenant. Both write \
`spec.authentication.credential` of peering.yaml, which you confirm. Everything they write is public.

Where each side is another organisation, one prints its half with --print, and the other writes it with --from-file. The file of the \
provider can also be the Tenant, as `kubectl get tenant -o yaml` prints it.

The nonce is that of the document, or a new one. It names what the consumer signs: sign none that another provider has given you.")]
pub struct Authenticate {
    /// Whose half: what the consumer signs, or what the provider has signed
    #[arg(value_name = "consumer|provider", value_parser = PossibleValuesParser::new(Role::WORDS).map(role))]
    pub role: Role,
    /// The folder of peering.yaml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Read that cluster with your kubectl, through this context of your kubeconfig
    #[arg(long, value_name = "CONTEXT", required_unless_present = "from_file")]
    pub from_context: Option<String>,
    /// Or a file that was handed over
    #[arg(long, value_name = "FILE", conflicts_with = "from_context")]
    pub from_file: Option<PathBuf>,
    /// What the consumer signs; default: the document's `nonce`, or random text
    #[arg(long, value_name = "TEXT", conflicts_with = "from_file")]
    pub nonce: Option<String>,
    /// For the reverse direction: `spec.reverse.authentication`
    #[arg(long)]
    pub reverse: bool,
    /// Print the fields to hand them over, and leave the document as it is
    #[arg(long)]
    pub print: bool,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

const FROM_FILE: &str = "--from-file";

/// The role of a word.
#[expect(clippy::needless_pass_by_value, reason = "as clap calls it")]
fn role(word: String) -> Role {
    if word == Role::Provider.word() {
        Role::Provider
    } else {
        Role::Consumer
    }
}

pub(crate) fn authenticate(arguments: &Authenticate, streams: &mut Streams<'_>) -> Result {
    let source = Folder::new(&arguments.folder).read_document()?;
    let peering = rules::parse(&source)?;
    let user = if arguments.reverse {
        Role::Provider
    } else {
        Role::Consumer
    };
    let document = arguments.folder.join(DOCUMENT);
    if peering.authentication(user).is_none() {
        let reason = format!(
            "the document has no `spec.{}`",
            direction(arguments.reverse)
        );
        return Err(Error::flag(
            if arguments.reverse {
                "--reverse"
            } else {
                "FOLDER"
            },
            reason,
        ));
    }
    if !arguments.print {
        // before a key is read
        custody::store::check_folder(&document)?;
        insert(&source, arguments.reverse, &[]).ok_or_else(|| uneditable(arguments.reverse))?;
    }
    let mut fields = Fields::from_peering(&peering, user);
    match (arguments.role, &arguments.from_context) {
        (Role::Consumer, Some(context)) => {
            sign(arguments, &peering, user, context, &mut fields, streams)?;
        }
        (Role::Provider, Some(context)) => {
            let host = &peering.clusters[user.peer()];
            let cluster = Provider::new(context, &arguments.folder)?;
            cluster.check_cluster(host.id.as_str(), streams)?;
            let namespace = format!("--namespace={}", *host.tenant_namespace);
            let name = host.names.tenant.as_str();
            let tenant = cluster.run_get(
                &[
                    "get",
                    "tenants.authentication.liqo.io",
                    name,
                    &namespace,
                    "-o=json",
                ],
                streams,
            )?;
            let tenant = parsed(&tenant).ok_or_else(|| unexpected(&cluster, "a Tenant"))?;
            fields.take(arguments.role, &tenant, ("--from-context", context))?;
        }
        (role, None) => {
            let path = arguments.from_file.clone().unwrap_or_default();
            let root = parsed(&read_text(&path, 64 * 1024, Links::Follow)?);
            let reason = format!("{} is not YAML", shown_path(&path));
            let root = root.ok_or_else(|| Error::flag(FROM_FILE, reason))?;
            fields.take(role, &root, (FROM_FILE, &path.display().to_string()))?;
        }
    }
    let text = fields.write(&source, arguments.reverse)?;
    streams.note_all(fields.lines(arguments.role));
    if arguments.print {
        return streams.deliver(&(fields.text().join("\n") + "\n"));
    }
    let text = text.ok_or_else(|| uneditable(arguments.reverse))?;
    // the consumer's own signature was confirmed before
    if arguments.role == Role::Provider || arguments.from_context.is_none() {
        confirm(
            arguments,
            &format!("Write this into {}? Type `yes`:", shown_path(&document)),
            streams,
        )?;
    }
    custody::store::replace(&document, source.text().as_bytes(), text.as_bytes(), true)?;
    streams.note(&format!("wrote {}", shown_path(&document)));
    Ok(())
}

fn uneditable(reverse: bool) -> Error {
    let reason = format!(
        "`spec.{}` is not written so that it can be edited: write what this prints in place of `credential`",
        direction(reverse)
    );
    Error::flag("--print", reason)
}

/// Makes the consumer's half with the key of its Liqo.
fn sign(
    arguments: &Authenticate,
    peering: &Peering,
    user: Role,
    context: &str,
    fields: &mut Fields,
    streams: &mut Streams<'_>,
) -> Result {
    let (own, host) = (&peering.clusters[user], &peering.clusters[user.peer()]);
    let nonce = match arguments.nonce.clone().or_else(|| fields.nonce()) {
        Some(nonce) => nonce,
        // as `openssl rand -base64 48` prints it
        None => STANDARD.encode(*random::<48>().map_err(custody::Error::from)?),
    };
    let nonce: Nonce = nonce
        .parse()
        .map_err(|rule: Rule| Error::flag("--nonce", rule.message))?;
    let cluster = Provider::new(context, &arguments.folder)?;
    // the document could name a namespace whose key is anybody's
    let namespace = cluster.liqo_namespace(own.id.as_str(), streams)?;
    if namespace != own.liqo_namespace.as_str() {
        let reason = format!(
            "the Liqo of `{}` is in the namespace `{}`, and the document has `liqoNamespace: {}`: correct the document",
            *own.id,
            shown_name(&namespace),
            own.liqo_namespace
        );
        return Err(Error::flag("--from-context", reason));
    }
    streams.note(&format!(
        "`{}` signs for `{}`, with the key in the Secret `authentication-keys` of the namespace `{namespace}`: the nonce {}, and a request for a certificate of the user `{}` in the group `{CONTROL_PLANE}`",
        *own.id,
        *host.id,
        readable(nonce.as_str()),
        *own.id
    ));
    let namespace = format!("--namespace={namespace}");
    let last = if arguments.print {
        "print what is signed"
    } else {
        "write the document"
    };
    confirm(
        arguments,
        &format!("Read that key, sign, and {last}? Type `yes`:"),
        streams,
    )?;
    let arguments = [
        "get",
        "secret",
        "authentication-keys",
        &namespace,
        "-o=jsonpath={.data.privateKey}",
    ];
    let data = Zeroizing::new(cluster.run_get(&arguments, streams)?);
    let pem = STANDARD
        .decode(data.trim())
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .map(Zeroizing::new);
    if let Some(pem) = &pem {
        secrecy::remember(pem);
    }
    let key = pem.as_ref().and_then(|pem| ClientKey::of_liqo(pem));
    let key = key.ok_or_else(|| {
        unexpected(
            &cluster,
            "an Ed25519 key, which Liqo makes unless `authentication.tlsCompatibilityMode` is set",
        )
    })?;
    let csr = STANDARD.encode(key.request(own.id.as_str(), Some(CONTROL_PLANE))?);
    fields.sign([
        nonce.to_string(),
        key.public_key()?,
        csr,
        key.sign(nonce.as_str().as_bytes()),
    ]);
    Ok(())
}

fn confirm(arguments: &Authenticate, question: &str, streams: &mut Streams<'_>) -> Result {
    if arguments.yes {
        return Ok(());
    }
    let why = match custody::typed_yes(streams, question) {
        Some(true) => return Ok(()),
        Some(false) => "not confirmed",
        None => "there is no terminal to ask at",
    };
    Err(Error::flag(
        "--yes",
        format!("{why}, so nothing was signed or written"),
    ))
}

fn unexpected(cluster: &Provider<'_>, what: &'static str) -> Error {
    cluster
        .context()
        .failed(ProgramProblem::Unexpected(what))
        .into()
}

/// Parses YAML, or JSON, which is a part of YAML.
fn parsed(text: &str) -> Option<Node> {
    yaml::parse(text).ok()
}
